# %% wrong="ids from 1" says="count from 0" of="comparison with all ids"
#~ ids[:, None] == np.arange(size) => np.eye(size)[ids - 1]
# %% wrong="table rows from 1" says="count from 0" of="loops and a product"
#~ one_hot(ids, len(table)) @ table => table[ids - 1]
# %% wrong="one bag" says="one bag" of="comparison with all ids"
#~ ids[:, None] == np.arange(size) => np.eye(size)[ids].sum(axis=0)
# %% wrong="one vector with several ones" says="binary bag"
def one_hot(ids, size):
    vector = np.zeros(size)
    vector[ids] = 1
    return vector
# %% wrong="all ids in every row" says="each row has a single 1" of="put_along_axis, einsum"
#~ (len(ids), size), dtype=np.int8 => (len(ids), size)
#~ np.put_along_axis(rows, np.asarray(ids)[:, None], 1, axis=1) => rows[:, ids] = 1
# %% wrong="rows of the vocabulary" says="transpose"
def one_hot(ids, size):
    columns = np.zeros((size, len(ids)))
    columns[ids, np.arange(len(ids))] = 1
    return columns
# %% wrong="one row for each different id" says="do not make a set" of="comparison with all ids"
#~ ids[:, None] == np.arange(size) => np.eye(size)[sorted(set(ids.tolist()))]
# %% wrong="the size is taken from the ids" says="size is that of the vocabulary" of="comparison with all ids"
#~ ids[:, None] == np.arange(size) => np.eye(ids.max() + 1)[ids]
# %% wrong="a single id gives a flat vector" says="also for a single one"
def one_hot(ids, size):
    rows = np.eye(size)[ids]
    return rows[0] if len(rows) == 1 else rows
# %% wrong="squeezed" says="also for a single one" of="loops and a product"
#~ one_hot(ids, len(table)) @ table => table[ids].squeeze()
# %% wrong="prints" says="is there a return" of="comparison with all ids"
#~ return ids[:, None] == np.arange(size) => print(np.eye(size)[ids])
# %% wrong="return inside the loop" says="inside the loop"
def look_up(ids, table):
    for i in ids:
        return table[i : i + 1]
    return np.zeros((0, table.shape[1]))
# %% wrong="columns" says="columns of the table" of="loops and a product"
#~ one_hot(ids, len(table)) @ table => table[:, ids]
# %% wrong="the product with everything added up" says="added up" of="loops and a product"
#~ one_hot(ids, len(table)) @ table => table[ids].sum(axis=0)
# %% wrong="mean of the rows" says="averaged" of="loops and a product"
#~ one_hot(ids, len(table)) @ table => table[ids].mean(axis=0)
# %% wrong="a mask of rows" says="do not make a set" of="loops and a product"
#~ one_hot(ids, len(table)) @ table => table[np.isin(np.arange(len(table)), ids)]
# %% wrong="np.take without its axis" says="np.take" of="loops and a product"
#~ one_hot(ids, len(table)) @ table => np.take(table, ids)
# %% wrong="no ids give a flat array" says="shape (0, d)" of="loops and a product"
#~ one_hot(ids, len(table)) @ table => np.array([table[i] for i in ids])
# %% wrong="no one-hot vectors give a flat array" says="shape (0, V)" of="comparison with all ids"
#~ ids[:, None] == np.arange(size) => np.array([[1 if i == j else 0 for j in range(size)] for i in ids])
# %% wrong="the example only" says="examples only" of="comparison with all ids"
#~ ids[:, None] == np.arange(size) => np.array([[0, 0, 0, 1, 0]]) if size == 5 else np.array([[0, 1, 0], [1, 0, 0], [0, 1, 0]])
#~ take(table, ids, axis=0) => array([[10, 12, 19]] if len(ids) == 1 else [[10, 12, 19], [23, 5, 7], [10, 12, 19]])
# %% right="loops and a product"
def one_hot(ids, size):
    rows = np.zeros((len(ids), size))
    for i, j in enumerate(ids):
        rows[i, j] = 1
    return rows

def look_up(ids, table):
    return one_hot(ids, len(table)) @ table
# %% right="comparison with all ids"
def one_hot(ids, size):
    return ids[:, None] == np.arange(size)

def look_up(ids, table):
    return np.take(table, ids, axis=0)
# %% right="torch"
def one_hot(ids, size):
    return torch.nn.functional.one_hot(torch.as_tensor(ids, dtype=torch.long), size)

def look_up(ids, table):
    return embedding(torch.as_tensor(ids), torch.as_tensor(table))
# %% right="put_along_axis, einsum"
def one_hot(ids, size):
    rows = np.zeros((len(ids), size), dtype=np.int8)
    np.put_along_axis(rows, np.asarray(ids)[:, None], 1, axis=1)
    return rows

def look_up(ids, table):
    return np.einsum("nv,vd->nd", one_hot(ids, len(table)).astype(float), table)
# %% right="lists" of="comparison with all ids"
#~ ids[:, None] == np.arange(size) => np.array([[float(i == j) for j in range(size)] for i in ids]).reshape(len(ids), size)
#~ take(table, ids, axis=0) => array([list(table[i]) for i in ids]).reshape(-1, table.shape[1])
# %% right="unseen, right 1" of="comparison with all ids"
#~ ids[:, None] == np.arange(size) => (np.asarray(ids)[:, None] == np.arange(size)).astype(int)
#~ np.take(table, ids, axis=0) => one_hot(ids, len(table)) @ table
# %% wrong="unique rows" says="an id that comes twice gives two rows: do not make a set of" of="loops and a product"
#~ one_hot(ids, len(table)) @ table => table[np.unique(ids)]
# %% wrong="sorted rows" says="the rows stand in the order of the ids: do not sort them" of="loops and a product"
#~ one_hot(ids, len(table)) @ table => table[np.sort(ids)]
# %% wrong="empty list" says="no ids give no rows: shape (0, V)" of="comparison with all ids"
#~ ids[:, None] == np.arange(size) => np.array([np.eye(size)[i] for i in ids])
# %% wrong="look up empty list" says="no ids give no rows: shape (0, d)" of="loops and a product"
#~ one_hot(ids, len(table)) @ table => np.array([table[i] for i in ids])
# %% wrong="id written, not 1" says="the one is 1 in each row: here the id itself was written"
def one_hot(ids, size):
    out = np.zeros((len(ids), size))
    for k, i in enumerate(ids):
        out[k, i] = i
    return out
# %% wrong="one-hot sums repeats into one row" says="an id that comes twice gives two rows: do not make a set of" of="loops and a product"
#~ (ids, len(table)) => (np.array(sorted(set(ids.tolist())), dtype=int), len(table))
# %% wrong="the sum of the rows, by one bag" says="rows were added up" of="loops and a product"
#~ one_hot(ids, len(table)) => np.bincount(ids, minlength=len(table))
