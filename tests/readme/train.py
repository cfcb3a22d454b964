import numpy as np


def loss(predicted, target):
    return ((predicted - target) ** 2).mean()


print(loss(np.zeros((32, 10)), np.arange(32)))
