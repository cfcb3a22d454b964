import numpy as np

x = np.linspace(0, 1, 200)
y = 3 * x[:, None] + 1
slope = np.zeros(1)


def step():
    predicted = slope * x
    error = predicted - y
    slope[:] -= 0.1 * (error * x).mean()
    return (error**2).mean()


for _ in range(5):
    loss = step()
print("loss", round(loss, 3))
