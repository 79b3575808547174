# %% base="the plain way"
def lstm_cell(x, h, c, W_x, W_h, b):
    i, f, g, o = (x @ W_x + h @ W_h + b).chunk(4, -1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c
def gru_cell(x, h, W_x, W_h, b_x, b_h):
    a_r, a_z, a_n = (x @ W_x + b_x).chunk(3, -1)
    d_r, d_z, d_n = (h @ W_h + b_h).chunk(3, -1)
    r, z = (a_r + d_r).sigmoid(), (a_z + d_z).sigmoid()
    return (1 - z) * (a_n + r * d_n) + z * h
# %% wrong="forget first" says="order i, f, g, o" of="another way, 2"
#~ i, f, g, o = torch.split(F.linear(x, W_x.T) + F.linear(h, W_h.T) + b, h.shape[-1], dim=-1) => f, i, g, o = (x @ W_x + h @ W_h + b).chunk(4, dim=-1)
# %% wrong="old cell shown" says="new cell"
#-     """Return the next (h, c), each (B, H). x: (B, C), h and c: (B, H), W_x: (C, 4H), W_h: (H, 4H), b: (4H,)."""
#~ c = => new =
#~ (c), c => (c), new
# %% wrong="z turned" says="z keeps the old state" of="another way, 1"
#~ torch.lerp(torch.tanh(a_n + r * d_n), h, z) => z * torch.tanh(a_n + r * d_n) + (1 - z) * h
# %% right="another way, 1"
def gru_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b_x: torch.Tensor, b_h: torch.Tensor
) -> torch.Tensor:
    a_r, a_z, a_n = (x @ W_x + b_x).chunk(3, dim=-1)
    d_r, d_z, d_n = (h @ W_h + b_h).chunk(3, dim=-1)
    r, z = torch.sigmoid(a_r + d_r), torch.sigmoid(a_z + d_z)
    return torch.lerp(torch.tanh(a_n + r * d_n), h, z)
# %% right="another way, 2"
def lstm_cell(
    x: torch.Tensor, h: torch.Tensor, c: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    i, f, g, o = torch.split(F.linear(x, W_x.T) + F.linear(h, W_h.T) + b, h.shape[-1], dim=-1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c
# %% wrong="g and o exchanged" says="exchanged" of="the plain way"
#~ g, o => o, g
# %% wrong="the content has a sigmoid" says="tanh"
def lstm_cell(x, h, c, W_x, W_h, b):
    i, f, g, o = (x @ W_x + h @ W_h + b).sigmoid().chunk(4, -1)
    c = f * c + i * g
    return o * c.tanh(), c
# %% wrong="tanh of all parts" says="sigmoid" of="the content has a sigmoid"
#~ sigmoid => tanh
# %% wrong="the cell is shown without a tanh" says="tanh" of="the plain way"
#~ c.tanh() => c
# %% wrong="c first" says="h comes first" of="the plain way"
#~ o.sigmoid() * c.tanh(), c => c, o.sigmoid() * c.tanh()
# %% wrong="no forget gate" says="forget" of="the plain way"
#~ f.sigmoid() * c => c
# %% wrong="the input gate is one minus the forget gate" says="1 - f was taken" of="the plain way"
#~ i.sigmoid() => (1 - f.sigmoid())
# %% wrong="the tanh of the cell is kept" says="c'" of="the plain way"
#~ f.sigmoid() * c + i.sigmoid() * g => (f.sigmoid() * c + i.sigmoid() * g.tanh())
#~ c.tanh() => c
# %% wrong="no bias" says="bias is missing" of="the plain way"
#~ (x @ W_x + h @ W_h + b) => (x @ W_x + h @ W_h)
# %% wrong="no old state" says="h W_h" of="the plain way"
#~ (x @ W_x + h @ W_h + b) => (x @ W_x + b)
# %% wrong="the parts are taken from the batch" says="dealt out in turns" of="the plain way"
#~ chunk(4, -1) => reshape(len(x), -1, 4).unbind(-1)
# %% wrong="the state only" says="both are asked" of="the plain way"
#~ (), c => ()
# %% wrong="the cell is changed in place" says="changed" of="the plain way"
#-     c = f.sigmoid() * c + i.sigmoid() * g.tanh()
#+     c *= f.sigmoid()
#+     c += i.sigmoid() * g.tanh()
# %% wrong="the gates are multiplied, not the cell" says="output gate is missing" of="the plain way"
#~ o.sigmoid() * c => c
# %% wrong="r before the matrix" says="after the matrix" of="the plain way"
#~ d_n = => _ =
#-     return (1 - z) * (a_n + r * d_n) + z * h
#+     H = h.shape[-1]
#+     n = (a_n + (r * h) @ W_h[:, 2 * H :] + b_h[2 * H :]).tanh()
#+     return (1 - z) * n + z * h
# %% wrong="r acts on the product, not on the bias" says="b_h"
def gru_cell(x, h, W_x, W_h, b_x, b_h):
    a_r, a_z, a_n = (x @ W_x + b_x).chunk(3, -1)
    d_r, d_z, d_n = (h @ W_h).chunk(3, -1)
    e_r, e_z, e_n = b_h.chunk(3)
    r, z = (a_r + d_r + e_r).sigmoid(), (a_z + d_z + e_z).sigmoid()
    return (1 - z) * (a_n + r * d_n + e_n).tanh() + z * h
# %% wrong="z comes first" says="exchanged" of="the plain way"
#~ a_r, a_z => a_z, a_r
#~ d_r, d_z => d_z, d_r
#~ (a_n + r * d_n) => (a_n + r * d_n).tanh()
# %% wrong="no reset" says="reset gate is missing" of="the plain way"
#~ r, z = (a_r + d_r).sigmoid(), => z =
#~ (a_n + r * d_n) => (a_n + d_n).tanh()
# %% wrong="r on the input" says="here it multiplied" of="the plain way"
#~ (a_n + r * d_n) => (r * a_n + d_n).tanh()
# %% wrong="r on both" says="r went outside" of="the plain way"
#~ (a_n + r * d_n) => (r * (a_n + d_n)).tanh()
# %% wrong="the content has a sigmoid (GRU)" says="tanh" of="the plain way"
#~ (a_n + r * d_n) => (a_n + r * d_n).sigmoid()
# %% wrong="no tanh (GRU)" says="tanh"
def gru_cell(x, h, W_x, W_h, b_x, b_h):
    a_r, a_z, a_n = (x @ W_x + b_x).chunk(3, -1)
    d_r, d_z, d_n = (h @ W_h + b_h).chunk(3, -1)
    r, z = (a_r + d_r).sigmoid(), (a_z + d_z).sigmoid()
    return (1 - z) * (a_n + r * d_n) + z * h
# %% wrong="the old state is added whole" says="added whole" of="the plain way"
#~ (a_n + r * d_n) + z * => (a_n + r * d_n).tanh() +
# %% wrong="the new state is not scaled by 1 - z" says="added whole" of="the plain way"
#~ (1 - z) * (a_n + r * d_n) => (a_n + r * d_n).tanh()
# %% wrong="b_h is missing" says="b_h is missing" of="the plain way"
#~ W_h + b_h => W_h
#~ (a_n + r * d_n) => (a_n + r * d_n).tanh()
# %% wrong="b_x is missing" says="b_x is missing" of="the plain way"
#~ W_x + b_x => W_x
#~ (a_n + r * d_n) => (a_n + r * d_n).tanh()
# %% wrong="the gradient is cut" says="gradient" of="the plain way"
#~ (h @ W_h + b_h) => (h.detach() @ W_h + b_h)
#~ (1 - z) * (a_n + r * d_n) + z * h => ((1 - z) * (a_n + r * d_n).tanh() + z * h).detach()
# %% wrong="forgets its return" says="return" of="the plain way"
#~ return (1 - z) * (a_n + r * d_n) + z * h => n = (a_n + r * d_n).tanh()
# %% right="gate by gate, with slices"
def lstm_cell(x, h, c, W_x, W_h, b):
    H = h.shape[1]
    part = lambda k: x @ W_x[:, k * H : (k + 1) * H] + h @ W_h[:, k * H : (k + 1) * H] + b[k * H : (k + 1) * H]
    new = torch.sigmoid(part(1)) * c + torch.sigmoid(part(0)) * torch.tanh(part(2))
    return torch.sigmoid(part(3)) * torch.tanh(new), new
def gru_cell(x, h, W_x, W_h, b_x, b_h):
    H = h.shape[1]
    a, d = torch.addmm(b_x, x, W_x), torch.addmm(b_h, h, W_h)
    r = torch.sigmoid(a[:, :H] + d[:, :H])
    z = torch.sigmoid(a[:, H:-H] + d[:, H:-H])
    n = torch.tanh(a[:, -H:] + r * d[:, -H:])
    return n + z * (h - n)
# %% right="the cells of torch"
def lstm_cell(x, h, c, W_x, W_h, b):
    return torch._VF.lstm_cell(x, (h, c), W_x.T, W_h.T, b, torch.zeros_like(b))
def gru_cell(x, h, W_x, W_h, b_x, b_h):
    return torch._VF.gru_cell(x, h, W_x.T, W_h.T, b_x, b_h)
# %% right="einsum, and sigmoids made of tanh"
def lstm_cell(x, h, c, W_x, W_h, b):
    sums = torch.einsum("bc,ck->bk", x, W_x) + torch.einsum("bh,hk->bk", h, W_h) + b
    i, f, g, o = sums.view(len(x), 4, -1).unbind(1)
    gate = lambda v: 0.5 * (1 + torch.tanh(v / 2))
    c = torch.lerp(torch.zeros_like(c), c, gate(f)) + gate(i) * torch.tanh(g)
    return [gate(o) * torch.tanh(c), c]
def gru_cell(x, h, W_x, W_h, b_x, b_h):
    a = (torch.einsum("bc,ck->bk", x, W_x) + b_x).view(len(x), 3, -1)
    d = (torch.einsum("bh,hk->bk", h, W_h) + b_h).view(len(x), 3, -1)
    r, z = torch.sigmoid(a[:, :2] + d[:, :2]).unbind(1)
    return torch.lerp(torch.tanh(a[:, 2] + r * d[:, 2]), h, z)
# %% right="unseen, right 1"
def lstm_cell(x, h, c, W_x, W_h, b):
    H = h.shape[-1]
    s = torch.cat([x, h], dim=1) @ torch.cat([W_x, W_h]) + b
    i, f, o = (torch.sigmoid(s[:, k * H : (k + 1) * H]) for k in (0, 1, 3))
    c = f.mul(c) + i.mul(s[:, 2 * H : 3 * H].tanh())
    return o.mul(c.tanh()), c
def gru_cell(x, h, W_x, W_h, b_x, b_h):
    a, d = x @ W_x + b_x, h @ W_h + b_h
    H = h.shape[1]
    gates = torch.sigmoid(a[:, : 2 * H] + d[:, : 2 * H])
    r, z = gates[:, :H], gates[:, H:]
    n = torch.tanh(a[:, 2 * H :] + r * d[:, 2 * H :])
    return n + z * (h - n)
# %% wrong="forget gate without sigmoid" says="the forget gate has no sigmoid"
def lstm_cell(x, h, c, W_x, W_h, b):
    i, f, g, o = (x @ W_x + h @ W_h + b).chunk(4, dim=-1)
    new = f * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(new), new
# %% wrong="h for c" says="the forget gate keeps the old cell c: here it kept h" of="forget gate without sigmoid"
#~ f * c => torch.sigmoid(f) * h
# %% wrong="reset after tanh" says="r multiplies h W_h + b_h, inside the tanh: here it came"
def gru_cell(x, h, W_x, W_h, b_x, b_h):
    ar, az, an = (x @ W_x + b_x).chunk(3, dim=-1)
    dr, dz, dn = (h @ W_h + b_h).chunk(3, dim=-1)
    r, z = torch.sigmoid(ar + dr), torch.sigmoid(az + dz)
    n = r * torch.tanh(an + dn)
    return (1 - z) * n + z * h
# %% wrong="interleaved GRU" says="the numbers were dealt out in turns: each part is one block" of="reset after tanh"
#~ (x @ W_x + b_x).chunk(3, dim=-1) => (x @ W_x + b_x).unflatten(-1, (-1, 3)).unbind(-1)
#~ (h @ W_h + b_h).chunk(3, dim=-1) => (h @ W_h + b_h).unflatten(-1, (-1, 3)).unbind(-1)
#~ r * torch.tanh(an + dn) => torch.tanh(an + r * dn)
# %% wrong="state tanhed" says="the new state goes through no further tanh" of="reset after tanh"
#~ r * torch.tanh(an + dn) => torch.tanh(an + r * dn)
#~ (1 - z) * n + z * h => torch.tanh((1 - z) * n + z * h)
# %% wrong="detached" says="the gradient is cut: no detach, no item, no NumPy between" of="forget gate without sigmoid"
#~ f * => torch.sigmoid(f) *
#~ (new) => (new.detach())
# %% wrong="the update gate is cut off" says="here at the update gate"
#~ torch.sigmoid(a_z + d_z) => torch.sigmoid(a_z + d_z).detach()
# %% right="views and lerp"
def lstm_cell(x, h, c, W_x, W_h, b):
    i, f, g, o = (x @ W_x + h @ W_h + b).view(len(x), 4, -1).unbind(1)
    c = c * f.sigmoid() + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c
def gru_cell(x, h, W_x, W_h, b_x, b_h):
    H = h.shape[1]
    a, d = x @ W_x + b_x, h @ W_h + b_h
    r, z = (a + d)[:, : 2 * H].sigmoid().split(H, dim=1)
    return torch.lerp(torch.tanh(a[:, 2 * H :] + r * d[:, 2 * H :]), h, z)
# %% wrong="z in place of r" says="r, not z, multiplies"
def gru_cell(x, h, W_x, W_h, b_x, b_h):
    a_r, a_z, a_n = (x @ W_x + b_x).chunk(3, dim=-1)
    d_r, d_z, d_n = (h @ W_h + b_h).chunk(3, dim=-1)
    r, z = torch.sigmoid(a_r + d_r), torch.sigmoid(a_z + d_z)
    n = torch.tanh(a_n + z * d_n)
    return (1 - z) * n + z * h
# %% wrong="the old cell cut" clause="do not use `.detach()` or `.item()` on the way" says="no detach, item, data or NumPy"
def lstm_cell(x, h, c, W_x, W_h, b):
    i, f, g, o = (x @ W_x + h @ W_h + b).chunk(4, -1)
    c = torch.sigmoid(f) * c.detach() + torch.sigmoid(i) * torch.tanh(g); return torch.sigmoid(o) * torch.tanh(c), c
# %% wrong="the reset acts on the input's bias" says="here it acted on the bias b_x, too"
#~ torch.tanh(a_n + r * d_n) => torch.tanh(a_n - b_x[2 * h.shape[1] :] + r * (d_n + b_x[2 * h.shape[1] :]))
