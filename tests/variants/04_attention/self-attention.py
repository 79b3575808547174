# %% wrong="X^T X as the lecture has it" says="d by d"
def mean_mixing(x):
    return x.mean(-2, keepdim=True) + 0 * x


def similarity_mixing(x):
    s = x.mT @ x
    return s, x @ torch.softmax(s, -1)


def self_attention(x, W_q, W_k, W_v):
    s = (x @ W_q) @ (x @ W_k).mT
    return s, torch.softmax(s, -1) @ x @ W_v

# %% wrong="mean of the features" says="runs over the tokens"
def mean_mixing(x):
    return x.mean(-1, keepdim=True).expand(x.shape)


def similarity_mixing(x):
    s = x @ x.mT
    return s, torch.softmax(s, -1) @ x


def self_attention(x, W_q, W_k, W_v):
    s = (x @ W_q) @ (x @ W_k).mT
    return s, torch.softmax(s, -1) @ x @ W_v

# %% wrong="values without W_V" says="they are x W_V"
def mean_mixing(x):
    return x.mean(-2, keepdim=True) + 0 * x


def similarity_mixing(x):
    s = x @ x.mT
    return s, torch.softmax(s, -1) @ x


def self_attention(x, W_q, W_k, W_v):
    s = (x @ W_q) @ (x @ W_k).mT
    return s, torch.softmax(s, -1) @ x

# %% wrong="queries and keys exchanged" says="exchanged"
def mean_mixing(x):
    return x.mean(-2, keepdim=True) + 0 * x


def similarity_mixing(x):
    s = x @ x.mT
    return s, torch.softmax(s, -1) @ x


def self_attention(x, W_q, W_k, W_v):
    s = (x @ W_k) @ (x @ W_q).mT
    return s, torch.softmax(s, -1) @ x @ W_v

# %% wrong="softmax over the queries" says="over the queries"
def mean_mixing(x):
    return x.mean(-2, keepdim=True) + 0 * x


def similarity_mixing(x):
    s = x @ x.mT
    return s, torch.softmax(s, -1) @ x


def self_attention(x, W_q, W_k, W_v):
    s = (x @ W_q) @ (x @ W_k).mT
    return s, torch.softmax(s, -2) @ x @ W_v

# %% wrong="scaled already" says="scaled here"
def mean_mixing(x):
    return x.mean(-2, keepdim=True) + 0 * x


def similarity_mixing(x):
    s = x @ x.mT
    return s, torch.softmax(s, -1) @ x


def self_attention(x, W_q, W_k, W_v):
    s = (x @ W_q) @ (x @ W_k).mT / W_q.shape[1] ** 0.5
    return s, torch.softmax(s, -1) @ x @ W_v

# %% right="library"
def mean_mixing(x):
    return x.mean(-2, keepdim=True) + 0 * x


def similarity_mixing(x):
    s = x @ x.mT
    return s, torch.softmax(s, -1) @ x


def self_attention(x, W_q, W_k, W_v):
    s = (x @ W_q) @ (x @ W_k).mT
    return s, torch.softmax(s, -1) @ x @ W_v

# %% right="a matrix of ones, einsum"
def mean_mixing(x):
    T = x.shape[-2]
    return torch.ones(T, T) / T @ x


def similarity_mixing(x):
    one = torch.eye(x.shape[-1])
    return self_attention(x, one, one, one)


def self_attention(x, W_q, W_k, W_v):
    scores = torch.einsum("...ic,cd,ed,...je->...ij", x, W_q, W_k, x)
    return [scores, scores.softmax(dim=-1) @ (x @ W_v)]
