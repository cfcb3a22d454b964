import numpy as np


def rows(images, labels):
    return np.concatenate([images, labels], axis=1)


rows(np.zeros((8, 784)), np.zeros((10, 1)))
