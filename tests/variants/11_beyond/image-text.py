# %% wrong="pictures in front" says="belong in the places"
def put_images(vectors, token_ids, images, image_id):
    rest = torch.stack([row[keep] for row, keep in zip(vectors, token_ids != image_id)])
    return torch.cat([images, rest], dim=1)
# %% wrong="added" says="they take their place"
def put_images(vectors, token_ids, images, image_id):
    places = (token_ids == image_id)[..., None].expand_as(vectors)
    return vectors + torch.zeros_like(vectors).masked_scatter(places, images)
# %% wrong="in place" says="in place"
#~ vectors.masked_scatter(places, images) => vectors.masked_scatter_(places, images)
# %% wrong="the first N places" says="where image_id is"
def put_images(vectors, token_ids, images, image_id):
    return torch.cat([images, vectors[:, images.shape[1] :]], dim=1)
# %% wrong="pictures detached" says="gradient is cut"
#~ (places, images) => (places, images.detach())
# %% wrong="the picture of row 0" says="every row got the picture of row 0"
#~ (places, images) => (places, images[:1].expand_as(images))
# %% wrong="causal" says="see one another in both directions"
#~ (given | earlier) & real => earlier & real
# %% wrong="open" says="may not look ahead"
def prefix_mask(prefix, lengths, T):
    places = torch.arange(T)
    return ((places < prefix[:, None, None]) | (places[:, None] >= prefix[:, None, None])) & (places < lengths[:, None, None])
# %% wrong="padding seen" says="padding is looked at"
#~ (given | earlier) & real => given | earlier
# %% wrong="strictly earlier" says="does not see itself"
#~ places <= places[:, None] => places < places[:, None]
# %% wrong="transposed" says="rows and columns are exchanged"
#~ (given | earlier) & real => ((given | earlier) & real).mT
# %% wrong="prefix one too long" says="one token too late"
#~ places < prefix[:, None, None] => places <= prefix[:, None, None]
# %% wrong="labels shifted" says="shifted here"
def answer_labels(token_ids, prefix, lengths):
    places = torch.arange(token_ids.shape[1])
    answer = (places >= prefix[:, None]) & (places < lengths[:, None])
    return F.pad(token_ids.where(answer, -100)[:, 1:], (0, 1), value=-100)
# %% wrong="prompt learned" says="prefix has labels"
#~ (places >= prefix[:, None]) & (places < lengths[:, None]) => places < lengths[:, None]
# %% wrong="padding learned" says="padding has labels"
#~ (places >= prefix[:, None]) & (places < lengths[:, None]) => places >= prefix[:, None]
# %% wrong="no end" says="must learn to stop"
#~ (places < lengths[:, None]) => (places < lengths[:, None] - 1)
# %% wrong="filled with 0" says="they are -100"
#~ token_ids.where(answer, -100) => token_ids.where(answer, 0)
# %% right="loops"
def put_images(vectors, token_ids, images, image_id):
    rows = []
    for x, ids, seen in zip(vectors, token_ids, images):
        place = (ids == image_id).nonzero()[:, 0]
        rows.append(x.index_copy(0, place, seen))
    return torch.stack(rows)
def prefix_mask(prefix, lengths, T):
    masks = []
    for p, n in zip(prefix.tolist(), lengths.tolist()):
        mask = torch.ones(T, T, dtype=torch.bool).tril()
        mask[:, :p] = True
        mask[:, n:] = False
        masks.append(mask)
    return torch.stack(masks)
def answer_labels(token_ids, prefix, lengths):
    labels = torch.full_like(token_ids, -100)
    for row, ids, p, n in zip(labels, token_ids, prefix.tolist(), lengths.tolist()):
        row[p:n] = ids[p:n]
    return labels
# %% right="a clone, indexed; gather by counts"
def put_images(vectors, token_ids, images, image_id):
    mask = token_ids == image_id
    which = (mask.cumsum(1) - 1).clamp(min=0)[..., None].expand_as(vectors)
    return torch.where(mask[..., None], images.gather(1, which), vectors)
def answer_labels(token_ids, prefix, lengths):
    i = torch.arange(token_ids.shape[1])[None]
    return token_ids.masked_fill((i < prefix[:, None]) | (i >= lengths[:, None]), -100)
# %% wrong="padding sees the prefix" says="sees the prefix alone"
#~ (given | earlier) & real => (given | earlier & (places[:, None] < lengths[:, None, None])) & real
# %% wrong="the answer sees itself" says="the prefix and itself"
#~ places <= places[:, None] => places == places[:, None]
# %% wrong="length of the answer" says="lengths counts the prefix, too"
#~ places < lengths[:, None, None]  # => places < (prefix + lengths)[:, None, None]  #
# %% wrong="column by column" says="column by column"
#~ vectors.masked_scatter(places, images) => vectors.transpose(0, 1).masked_scatter(places.transpose(0, 1), images).transpose(0, 1)
# %% wrong="one picture for all rows" says="the picture of row 0" clause="the first of a row gets the first vector of that row's"
#~ masked_scatter(places, images) => masked_scatter(places, images[:1].expand_as(images).contiguous())
# %% wrong="numbers for booleans" says="booleans are asked for" clause="Return booleans (B, T, T)"
#~ return (given | earlier) & real => return ((given | earlier) & real).float()
# %% wrong="words without a gradient" says="the gradient is cut" clause="Gradients flow to images and to the vectors that stay."
#~ vectors.masked_scatter => vectors.detach().masked_scatter
# %% wrong="the whole row" says="may not look ahead into the answer"
def prefix_mask(prefix, lengths, T):
    return (torch.arange(T) < lengths[:, None, None]).expand(-1, T, -1)
# %% wrong="the places of row 0" says="in the places of row 0"
def put_images(vectors, token_ids, images, image_id):
    return vectors.masked_scatter((token_ids[:1] == image_id)[..., None].expand_as(vectors), images)
