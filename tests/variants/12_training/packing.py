# %% right="one loop over a stream of pairs"
def pack(documents, length, end):
    stream = [(token, i) for i, document in enumerate(documents) for token in list(document) + [end]]
    rows = [stream[k : k + length] for k in range(0, len(stream) - length + 1, length)]
    tokens = [[t for t, _ in row] for row in rows]
    owners = [[o for _, o in row] for row in rows]
    return torch.tensor(tokens, dtype=torch.long).view(-1, length), torch.tensor(owners, dtype=torch.long).view(-1, length)
def packed_mask(owners):
    T = owners.shape[1]
    same = owners.unsqueeze(2) == owners.unsqueeze(1)
    return same & torch.ones(T, T, dtype=torch.bool).tril()
def packed_positions(owners):
    out = torch.zeros_like(owners)
    for r in range(owners.shape[0]):
        for t in range(1, owners.shape[1]):
            if owners[r, t] == owners[r, t - 1]:
                out[r, t] = out[r, t - 1] + 1
    return out
def packed_targets(tokens, owners):
    nxt, own = tokens.roll(-1, 1), owners.roll(-1, 1)
    nxt[own != owners] = -100
    nxt[:, -1] = -100
    return nxt
# %% right="with numpy"
def pack(documents, length, end):
    tokens = np.concatenate([np.array([*d, end]) for d in documents]) if documents else np.zeros(0)
    owners = np.repeat(np.arange(len(documents)), [len(d) + 1 for d in documents])
    rows = len(tokens) // length
    return tuple(torch.from_numpy(v[: rows * length].astype(np.int64)).reshape(rows, length) for v in (tokens, owners))
def packed_mask(owners):
    places = torch.arange(owners.shape[1])
    return (owners[:, :, None] == owners[:, None, :]) & (places[:, None] >= places)
def packed_positions(owners):
    return torch.tril(owners[:, :, None] == owners[:, None, :]).sum(-1) - 1
def packed_targets(tokens, owners):
    out = F.pad(tokens[:, 1:], (0, 1), value=-100)
    return out.masked_fill(F.pad(owners[:, 1:], (0, 1), value=-1) != owners, -100)
# %% right="loops and lists"
def packed_mask(owners):
    rows = []
    for row in owners.tolist():
        rows.append([[j <= i and row[i] == row[j] for j in range(len(row))] for i in range(len(row))])
    return torch.tensor(rows)
def packed_targets(tokens, owners):
    out = []
    for x, o in zip(tokens.tolist(), owners.tolist()):
        out.append([x[i + 1] if i + 1 < len(x) and o[i + 1] == o[i] else -100 for i in range(len(x))])
    return torch.tensor(out)
# %% wrong="no end tokens" says="end token is missing"
#~ tokens += [*document, end] => tokens += document
#~ (len(document) + 1) => len(document)
# %% wrong="end belongs to the next" says="belongs to the document before"
#~ owners += [i] * (len(document) + 1) => owners += [i] * len(document) + [i + 1]
# %% wrong="owners from 1" says="count from 0"
#~ enumerate(documents) => enumerate(documents, start=1)
# %% wrong="no end behind the last" says="last document ends with an end token"
#~ tokens += [*document, end] => tokens += [*document, end] if i + 1 < len(documents) else document
#~ owners += [i] * (len(document) + 1) => owners += [i] * (len(document) + (i + 1 < len(documents)))
# %% wrong="a row for each document" says="row of its own"
def pack(documents, length, end):
    rows = [([*d, end] + [end] * length)[:length] for d in documents]
    return torch.tensor(rows).view(-1, length), torch.tensor([[i] * length for i in range(len(rows))]).view(-1, length)
# %% wrong="the last row is filled" says="does not fill a row is dropped"
#~ rows = len(tokens) // length => more = -len(tokens) % length; tokens += [end] * more; owners += owners[-1:] * more; rows = len(tokens) // length
# %% wrong="long documents are cut" says="cut off"
#~ tokens += [*document, end] => tokens += [*document[:length], end]
#~ (len(document) + 1) => (len(document[:length]) + 1)
# %% wrong="the last token of each is lost" says="last token of each document"
#~ tokens += [*document, end] => tokens += [*document[:-1], end]
#~ owners += [i] * (len(document) + 1) => owners += [i] * (len(document[:-1]) + 1)
# %% wrong="causal alone" says="causal alone"
#~ (owners[:, :, None] == owners[:, None, :]).tril() => (owners[:, :, None] == owners[:, :, None]).expand(-1, -1, owners.shape[1]).tril()
# %% wrong="not causal" says="later ones of its own"
#~ owners[:, None, :]).tril() => owners[:, None, :])
# %% wrong="not itself" says="does not see itself"
#~ .tril() => .tril(-1)
# %% wrong="upper triangle" says="rows and columns are exchanged"
#~ .tril() => .triu()
# %% wrong="what is hidden" says="is inverted"
#~ (owners[:, :, None] == owners[:, None, :]).tril() => ~(owners[:, :, None] == owners[:, None, :]).tril()
# %% wrong="document 0 is taken for padding" says="owners of 0"
#~ owners[:, None, :]).tril() => owners[:, None, :]).tril() & (owners != 0)[:, :, None]
# %% wrong="positions never begin anew" says="do not begin anew"
#~ return places - torch.where(begins, places, 0).cummax(dim=1).values => return places.clone()
# %% wrong="positions from 1" says="count from 0"
#~ .cummax(dim=1).values => .cummax(dim=1).values + 1
# %% wrong="positions begin one late" says="one after it begins anew"
#~ begins[:, 1:] = owners[:, 1:] != owners[:, :-1] => begins[:, 2:] = owners[:, 1:-1] != owners[:, :-2]; begins[:, 1] = False
# %% wrong="positions begin one early" says="last token begins it anew"
#~ begins[:, 1:] = owners[:, 1:] != owners[:, :-1] => begins[:, 1:-1] = owners[:, 2:] != owners[:, 1:-1]; begins[:, -1] = False
# %% wrong="the owner of the token before" says="compare it with that of the next one"
#~ same = owners[:, 1:] == owners[:, :-1] => same = owners[:, :-1] == F.pad(owners, (1, 0))[:, :-2]; same[:, :1] = True
# %% wrong="the next document's first token is a target" says="has another owner"
#~ torch.where(same, tokens[:, 1:], -100) => tokens[:, 1:]
# %% wrong="targets are not shifted" says="not shifted"
#~ torch.where(same, tokens[:, 1:], -100) => torch.where(same, tokens[:, :-1], -100)
# %% wrong="a mask of floats" says="a boolean dtype" clause="of booleans"
#~ .tril() => .tril().float()
# %% wrong="positions are floats" says="an integer dtype" clause="(N, T) of torch.long"
#~ return places - => return 1.0 * places -
# %% wrong="targets are floats" says="an integer dtype" clause="(N, T) of torch.long"
#~ return targets => return targets.float()
# %% wrong="0 for no target" says="-100 is asked for"
#~ torch.full_like(tokens, -100) => torch.zeros_like(tokens)
#~ tokens[:, 1:], -100) => tokens[:, 1:], 0)
# %% wrong="wraps around" says="wraps around"
#~ targets = torch.full_like(tokens, -100) => targets = tokens.roll(-1, 1)
# %% wrong="the end token is no target" says="end token was left out"
#~ return targets => targets[:, :-2] = torch.where(owners[:, 2:] == owners[:, :-2], targets[:, :-2], -100); return targets
# %% wrong="one column less" says="last column is cut off"
#~ return targets => return targets[:, :-1]
# %% wrong="the end token has no owner" says="an end token has an owner"
#~ owners += [i] * (len(document) + 1) => owners += [i] * len(document) + [-1]
# %% wrong="documents without tokens are left out" says="without tokens was left out"
#~ tokens += [*document, end] => tokens += [*document, end] if document else []
#~ owners += [i] * (len(document) + 1) => owners += [i] * (len(document) + 1) if document else []
# %% wrong="a row that is just full is dropped" says="this just fills"
#~ rows = len(tokens) // length => rows = max(len(tokens) - 1, 0) // length
# %% wrong="owners anew in each row" says="begin anew with 0 in each row"
#~ return tuple(both) => rows_of_tokens, rows_of_owners = both; return rows_of_tokens, rows_of_owners - rows_of_owners[:, :1]
# %% wrong="the last token is its own target" says="repeats its own token" clause="-100 where the row ends"
#~ return targets => targets[:, -1] = tokens[:, -1]; return targets
# %% wrong="no end token and no last token as a target" says="of a row were left out"
#~ torch.where(same, tokens[:, 1:], -100) => torch.where(same & F.pad(same[:, 1:], (0, 1)), tokens[:, 1:], -100)
# %% wrong="without a full row no columns" says="shape is (0, length)" clause="(tokens (N, length), owners (N, length))"
def pack(documents, length, end):
    tokens, owners = [], []
    for i, document in enumerate(documents):
        tokens += [*document, end]
        owners += [i] * (len(document) + 1)
    starts = range(0, len(tokens) - length + 1, length)
    return tuple(torch.tensor([v[i : i + length] for i in starts], dtype=torch.long) for v in (tokens, owners))
# %% wrong="int32 rows" says="torch.long is torch.int64" clause="Both are of torch.long."
#~ dtype=torch.long).view => dtype=torch.int32).view
# %% wrong="int32 positions" says="torch.long is torch.int64" clause="(N, T) of torch.long"
#~ return places - torch.where(begins, places, 0).cummax(dim=1).values => return (places - torch.where(begins, places, 0).cummax(dim=1).values).int()
# %% wrong="int32 targets" says="torch.long is torch.int64" clause="(N, T) of torch.long"
#~ return targets => return targets.int()
