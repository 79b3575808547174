# %% base="einsum"
def max_sim(queries, query_mask, passages, passage_mask):
    a, b = F.normalize(queries, dim=-1), F.normalize(passages, dim=-1)
    scores = torch.einsum("qic,ptc->qpit", a, b)
    scores = scores.masked_fill(~passage_mask[None, :, None], -torch.inf)
    best = scores.amax(-1)
    return (best * query_mask[:, None]).sum(-1)
# %% right="pair by pair"
def max_sim(queries, query_mask, passages, passage_mask):
    rows = []
    for q, qm in zip(queries, query_mask):
        rows.append(torch.stack([cosine_similarities(q[qm], p[pm]).max(1).values.sum()
                                 for p, pm in zip(passages, passage_mask)]))
    return torch.stack(rows)
# %% right="broadcast, minus 9" of="einsum"
#~ torch.einsum("qic,ptc->qpit", a, b) => a[:, None] @ b[None].mT
#~ -torch.inf => -9.0
# %% wrong="token vectors as they are" says="length 1" of="einsum"
#~ F.normalize(queries, dim=-1), F.normalize(passages, dim=-1) => queries, passages
# %% wrong="mean over the query" says="averaged over the query's tokens" of="einsum"
#~ .sum(-1) => .sum(-1) / query_mask.sum(-1)[:, None]
# %% wrong="mean over all places" says="averaged over all places" of="einsum"
#~ .sum(-1) => .mean(-1)
# %% wrong="the passage's tokens choose" says="query's tokens that choose"
def max_sim(queries, query_mask, passages, passage_mask):
    scores = torch.einsum("qic,ptc->qpit", F.normalize(queries, dim=-1), F.normalize(passages, dim=-1))
    best = scores.masked_fill(~query_mask[:, None, :, None], -torch.inf).amax(2)
    return (best * passage_mask[None]).sum(-1)
# %% wrong="sum of all cosines" says="all cosines were added up" of="einsum"
#~ -torch.inf => 0.0
#~ .amax(-1) => .sum(-1)
# %% wrong="mean over the passage" says="mean over the passage" of="einsum"
#~ -torch.inf => 0.0
#~ scores.amax(-1) => scores.sum(-1) / passage_mask.sum(-1)[None, :, None]
# %% wrong="padding of the query counts" says="padding of the query" of="einsum"
#~ (best * query_mask[:, None]) => best
# %% wrong="padding of a passage wins" says="padding of a passage" of="einsum"
#-     scores = scores.masked_fill(~passage_mask[None, :, None], -torch.inf)
# %% wrong="padding set to zero" says="0 won a maximum" of="einsum"
#~ -torch.inf => 0.0
# %% wrong="padding multiplied away" says="0 won a maximum"
def max_sim(queries, query_mask, passages, passage_mask):
    a = F.normalize(queries * query_mask[..., None], dim=-1)
    b = F.normalize(passages * passage_mask[..., None], dim=-1)
    return torch.einsum("qic,ptc->qpit", a, b).amax(-1).sum(-1)
# %% wrong="transposed" says="(queries, passages) is asked" of="einsum"
#~ .sum(-1) => .sum(-1).T
# %% wrong="largest of all" says="largest of all cosines" of="einsum"
#~ (best * query_mask[:, None]).sum(-1) => best.masked_fill(~query_mask[:, None], -torch.inf).amax(-1)
# %% wrong="squeezed" says="" of="einsum"
#~ .sum(-1) => .sum(-1).squeeze()
# %% wrong="detached passages" says="detached" of="einsum"
#~ F.normalize(passages, => F.normalize(passages.detach(),
# %% wrong="float32 on the way" says="float64" of="einsum"
#~ "qic,ptc->qpit", a, b => "qic,ptc->qpit", a.float(), b.float()
# %% right="no cosine is below -1" of="einsum"
#~ -torch.inf => -1.0
# %% right="padding of queries made 0 first"
def max_sim(queries, query_mask, passages, passage_mask):
    a = F.normalize(queries * query_mask[..., None], dim=-1)
    scores = torch.einsum("qic,ptc->qpit", a, F.normalize(passages, dim=-1))
    return scores.masked_fill(~passage_mask[None, :, None], -torch.inf).amax(-1).sum(-1)
# %% wrong="added before the maximum" says="before the maximum"
def max_sim(queries, query_mask, passages, passage_mask):
    a, b = F.normalize(queries, dim=-1) * query_mask[..., None], F.normalize(passages, dim=-1)
    together = torch.einsum("qic,ptc->qpt", a, b)
    return together.masked_fill(~passage_mask[None], -torch.inf).amax(-1)
# %% right="passage by passage, without its padding"
def max_sim(queries, query_mask, passages, passage_mask):
    a = F.normalize(queries, dim=-1) * query_mask[..., None]
    columns = [(a @ F.normalize(p[m], dim=-1).T).amax(2).sum(1) for p, m in zip(passages, passage_mask)]
    return torch.stack(columns, dim=1)
# %% wrong="infinity times zero" says="times 0 is NaN" of="maxima not below 0"
#-     return (s.amax(-1).relu() * query_mask[:, None]).sum(-1)
#+     s = s.masked_fill(~query_mask[:, None, :, None], -torch.inf)
#+     return (s.amax(-1) * query_mask[:, None]).sum(-1)
# %% wrong="logsumexp" says="logsumexp was taken" of="maxima not below 0"
#~ return (s.amax(-1).relu() * query_mask[:, None]).sum(-1) => return (s.logsumexp(-1) * query_mask[:, None]).sum(-1)
# %% wrong="maxima not below 0" says="maxima below 0 became 0"
def max_sim(queries, query_mask, passages, passage_mask):
    q, p = F.normalize(queries, dim=-1), F.normalize(passages, dim=-1)
    s = torch.einsum("qic,ptc->qpit", q, p).masked_fill(~passage_mask[None, :, None], -torch.inf)
    return (s.amax(-1).relu() * query_mask[:, None]).sum(-1)
# %% wrong="normalised along the tokens" says="F.normalize needs dim=-1" of="only the passages normalised"
#~ s = torch.einsum("qic,ptc->qpit", queries, F.normalize(passages, dim=-1)) => s = torch.einsum("qic,ptc->qpit", F.normalize(queries), F.normalize(passages))
# %% wrong="only the passages normalised" says="only the passage's tokens"
def max_sim(queries, query_mask, passages, passage_mask):
    s = torch.einsum("qic,ptc->qpit", queries, F.normalize(passages, dim=-1))
    s = s.masked_fill(~passage_mask[None, :, None], -torch.inf)
    return (s.amax(-1) * query_mask[:, None]).sum(-1)
# %% wrong="one query squeezed" says="squeezed away"
#~ .sum(-1) => .sum(-1).squeeze()
# %% wrong="lengths of 0 divided" says="the padding is zeros, whose length is 0" clause="Padding of"
def max_sim(queries, query_mask, passages, passage_mask):
    a, b = (v / v.norm(dim=-1, keepdim=True) for v in (queries, passages))
    s = torch.einsum("qic,ptc->qpit", a, b).masked_fill(~passage_mask[None, :, None], -torch.inf)
    return (s.amax(-1) * query_mask[:, None]).sum(-1)
# %% wrong="a root of squares: NaN in the gradient of padding" says="the gradient is NaN" clause="Finite gradients flow back to both inputs of a loss, and"
def max_sim(queries, query_mask, passages, passage_mask):
    a, b = (v / v.square().sum(-1, keepdim=True).sqrt().clamp_min(1e-12) for v in (queries, passages))
    s = torch.einsum("qic,ptc->qpit", a, b).masked_fill(~passage_mask[None, :, None], -torch.inf)
    return (s.amax(-1) * query_mask[:, None]).sum(-1)
# %% wrong="pairs of one number only" says="with the passage of its own number only" of="einsum"
#~ best = scores.amax(-1) => best = scores.amax(-1).diagonal().T[:, None]
#~ (best * query_mask[:, None]).sum(-1) => (best[:, 0] * query_mask[: len(best)]).sum(-1)
# %% wrong="lengths with a floor" says="lengths below 0.001 count"
#~ F.normalize(queries, dim=-1) => F.normalize(queries, dim=-1, eps=1e-3)
# %% wrong="the passage's tokens choose, padding of the query counts" says="padding among them"
def max_sim(
    queries: torch.Tensor, query_mask: torch.Tensor, passages: torch.Tensor, passage_mask: torch.Tensor
) -> torch.Tensor:
    table = torch.einsum("qic,ptc->qpit", F.normalize(queries, dim=-1), F.normalize(passages, dim=-1))
    table = table.masked_fill(~passage_mask[None, :, None, :], -torch.inf)
    best = table.amax(2)
    return best.masked_fill(best == -torch.inf, 0).sum(-1)
# %% wrong="cut by length" says="padding may be at any position"
def max_sim(
    queries: torch.Tensor, query_mask: torch.Tensor, passages: torch.Tensor, passage_mask: torch.Tensor
) -> torch.Tensor:
    passage_mask = torch.arange(passage_mask.shape[1]) < passage_mask.sum(1, keepdim=True)
    table = torch.einsum("qic,ptc->qpit", F.normalize(queries, dim=-1), F.normalize(passages, dim=-1))
    table = table.masked_fill(~passage_mask[None, :, None, :], -torch.inf)
    best = table.amax(-1)
    return (best * query_mask[:, None, :]).sum(-1)
# %% wrong="tokens without padding normalised along the tokens" says="the tokens without padding were brought"
def max_sim(queries, query_mask, passages, passage_mask):
    rows = []
    for q, qm in zip(queries, query_mask):
        mine, row = F.normalize(q[qm], dim=0), []
        for p, pm in zip(passages, passage_mask):
            row.append((mine @ F.normalize(p[pm], dim=0).T).amax(1).sum())
        rows.append(torch.stack(row))
    return torch.stack(rows)
