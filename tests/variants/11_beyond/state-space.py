# %% wrong="Euler" says="Euler"
#~ flown = torch.matrix_exp(step * whole) => flown = torch.eye(N + 1, dtype=A.dtype) + step * whole
# %% wrong="no step" says="step is ignored"
#~ torch.matrix_exp(step * whole) => torch.matrix_exp(whole)
# %% wrong="elementwise" says="number by number"
#~ return flown[:N, :N], flown[:N, N] => return torch.exp(step * A), flown[:N, N]
# %% wrong="B times step" says="decays already"
#~ return flown[:N, :N], flown[:N, N] => return flown[:N, :N], step * B
# %% wrong="the inverse" says="need not have an inverse"
#~ return flown[:N, :N], flown[:N, N] => return flown[:N, :N], torch.linalg.solve(A, (flown[:N, :N] - torch.eye(N, dtype=A.dtype)) @ B)
# %% wrong="read first" says="before the input"
#~ h = h @ A.T + now[:, None] * B => pass
#~ y.append(h @ C) => y.append(h @ C); h = h @ A.T + now[:, None] * B
# %% wrong="A turned" says="transposed"
#~ h @ A.T => h @ A
# %% wrong="kernel late" says="power 0"
#~ found.append(C @ h) => pass
#~ h = A @ h => h = A @ h; found.append(C @ h)
# %% wrong="circular" says="runs into the beginning"
#~ product = torch.fft.rfft(u, n=2 * T) * torch.fft.rfft(kernel, n=2 * T) => product = torch.fft.rfft(u) * torch.fft.rfft(kernel)
#~ torch.fft.irfft(product, n=2 * T)[..., :T] => torch.fft.irfft(product, n=T)
# %% wrong="correlation" says="correlation"
#~ return torch.fft.irfft(product, n=2 * T)[..., :T] => return torch.fft.irfft(torch.fft.rfft(u, n=2 * T) * torch.fft.rfft(kernel, n=2 * T).conj(), n=2 * T)[..., :T]
# %% wrong="one round" says="one round"
#~ while far < len(a) => if far < len(a)
# %% wrong="sums" says="without their factors"
#~ a[far:] * b[:-far] => b[:-far]
# %% wrong="divided by the factors" says="they may be 0"
def scan(a, b):
    return a.cumprod(0) * (b / a.cumprod(0)).cumsum(0)
# %% wrong="A and B without gradients" says="cut on the way from A and B"
#~ flown = torch.matrix_exp(step * whole) => flown = torch.matrix_exp(step * whole.detach())
# %% wrong="a list" says="not a list"
#~ return torch.stack(found) => return found
# %% right="by the definition"
def discretize(A, B, step):
    Ad, term, Bd, power = torch.eye(len(B), dtype=A.dtype), torch.eye(len(B), dtype=A.dtype), step * B, step * B
    for n in range(1, 60):
        term = term @ A * step / n
        power = A @ power * step / (n + 1)
        Ad, Bd = Ad + term, Bd + power
    return Ad, Bd
def recurrence(A, B, C, u):
    return torch.stack([torch.stack([sum(C @ torch.linalg.matrix_power(A, t - j) @ B * row[j] for j in range(t + 1)) for t in range(len(row))]) for row in u])
def kernel(A, B, C, length):
    return torch.stack([torch.dot(C, torch.linalg.matrix_power(A, j) @ B) for j in range(length)])
# %% right="padding by hand, places in two halves"
def convolve(u, kernel):
    T = u.shape[-1]
    n = 2 ** math.ceil(math.log2(2 * T))
    a, b = F.pad(u, (0, n - T)), F.pad(kernel, (0, n - T))
    return torch.fft.ifft(torch.fft.fft(a) * torch.fft.fft(b)).real[..., :T]
def scan(a, b):
    if len(a) == 1:
        return b
    T = len(a) // 2 * 2
    a_pairs, b_pairs = a[1:T:2] * a[:T:2], a[1:T:2] * b[:T:2] + b[1:T:2]
    odd = scan(a_pairs, b_pairs)
    before = torch.cat([torch.zeros_like(b[:1]), odd])[: (len(a) + 1) // 2]
    states = torch.empty_like(b)
    states[1::2] = odd
    states[::2] = a[::2] * before + b[::2]
    return states
# %% wrong="step for A alone" says="A alone in the larger matrix"
#~ torch.cat([A, B[:, None]], dim=1) => torch.cat([A, B[:, None] / step], dim=1)
# %% wrong="B as a row" says="not in its last row"
#~ whole = torch.cat([torch.cat([A, B[:, None]], dim=1), A.new_zeros(1, N + 1)]) => whole = torch.cat([torch.cat([A, B[None]]), A.new_zeros(N + 1, 1)], dim=1)
#~ flown[:N, N] => flown[N, :N]
# %% wrong="input decays" says="has decayed already"
#~ h @ A.T + now[:, None] * B => (h + now[:, None] * B) @ A.T
# %% wrong="input added" says="added to y"
#~ y.append(h @ C) => y.append(h @ C + now)
# %% wrong="kernel in float32" says="dtype changed"
#~ return torch.stack(found) => return torch.stack(found).float()
# %% wrong="T + 1 numbers" says="T + 1 numbers are too few"
#~ product = torch.fft.rfft(u, n=2 * T) * torch.fft.rfft(kernel, n=2 * T) => product = torch.fft.rfft(u, n=T + 1) * torch.fft.rfft(kernel, n=T + 1)
#~ torch.fft.irfft(product, n=2 * T) => torch.fft.irfft(product, n=T + 1)
# %% wrong="the last T" says="not the last"
#~ [..., :T] => [..., -T:]
# %% wrong="a round too few" says="last round is missing"
#~ while far < len(a): => while 2 * far <= len(a):
# %% wrong="one further" says="grows by 1"
#~ far *= 2 => far += 1
# %% wrong="a loop for the scan" says="from place to place" clause="About log2(T) rounds, each for all positions at once."
def scan(a, b):
    states = [b[0]]
    for i in range(1, len(b)):
        states.append(a[i] * states[-1] + b[i])
    return torch.stack(states)
# %% wrong="the sum in two loops" says="without an FFT" clause="at t the sum over j <= t of kernel[j] * u[..., t - j], by FFT"
def convolve(u, kernel):
    sums = [sum(kernel[j] * u[..., t - j] for j in range(t + 1)) for t in range(u.shape[-1])]
    return torch.stack(sums, dim=-1)
# %% wrong="the sum by conv1d" says="without an FFT" clause="at t the sum over j <= t of kernel[j] * u[..., t - j], by FFT"
def convolve(u, kernel):
    rows = F.pad(u.reshape(-1, 1, u.shape[-1]), (u.shape[-1] - 1, 0))
    return F.conv1d(rows, kernel.flip(0)[None, None]).view(u.shape)
# %% wrong="by the inverse of A" says="need not have an inverse" clause="A (N, N) need not have an inverse"
#~ return flown[:N, :N], flown[:N, N] => return flown[:N, :N], torch.linalg.solve(A, (flown[:N, :N] - torch.eye(N).to(A)) @ B)
# %% wrong="divided by factors" says="they may be 0" clause="factors may be 0"
def scan(a, b):
    factors = a.cumprod(dim=0)
    return factors * (b / factors).cumsum(dim=0)
# %% wrong="A from the other side" says="A is transposed" clause="step by step; A (N, N), B (N,), C (N,) of a step."
#~ h @ A.T => h @ A
# %% wrong="exp of the larger matrix" says="of the larger matrix was taken"
#~ torch.matrix_exp(step * whole) => torch.exp(step * whole)
