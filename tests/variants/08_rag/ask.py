# %% base="a loop"
def ask(question, search, passages, read, admitted, k=3, budget=700):
    best = []
    for number in search(question):
        title, text = passages[number]
        if len(best) < k and admitted(title, text):
            best.append((title, text))
    prompt, used = build_prompt(question, best, budget)
    shown = best[:used]
    answer = read(prompt)
    if not supported(answer, [f"{title}\n{text}" for title, text in shown]):
        answer = UNKNOWN
    return answer, shown
# %% wrong="all are admitted" says="never asked" of="a loop"
#~ len(best) < k and admitted(title, text) => len(best) < k
# %% wrong="refused after k" says="refuse first"
#~ [passage for passage in found if admitted(*passage)][:k] => [passage for passage in found[:k] if admitted(*passage)]
# %% wrong="text first" says="text came first" of="a loop"
#~ admitted(title, text) => admitted(text, title)
# %% wrong="the refused" says="the others dropped"
#~ if admitted(*passage) => if not admitted(*passage)
# %% wrong="ends at a refused one" says="go on with the next" of="a loop"
#-         if len(best) < k and admitted(title, text):
#-             best.append((title, text))
#+         if len(best) >= k or not admitted(title, text):
#+             break
#+         best.append((title, text))
# %% wrong="k and one" says="one more" of="a loop"
#~ len(best) < k => len(best) <= k
# %% wrong="always three" says="k was ignored"
#~ [:k] => [:3]
# %% wrong="sorted" says="order of the search"
#~ if admitted(*passage)][:k] => if admitted(*passage)][:k]; best.sort()
# %% wrong="the usual budget" says="budget was ignored"
#~ best, budget) => best, 700)
# %% wrong="texts alone" says="those of the title"
#~ "\n".join(passage) => passage[1]
# %% wrong="titles alone" says="only the title counted"
#~ "\n".join(passage) => passage[0]
# %% wrong="whatever it says" says="was not checked"
#~ answer if holds else UNKNOWN => answer
# %% wrong="any passage that was found" says="was not shown supports nothing"
#~ for passage in shown] => for passage in found]
# %% wrong="without room" says="no room in the prompt"
#~ for passage in shown] => for passage in best]
# %% wrong="an empty text" says="not an empty text"
#~ else UNKNOWN => else ""
# %% wrong="None" says="not None"
#~ else UNKNOWN => else None
# %% wrong="all that were meant" says="meant for it"
#~ UNKNOWN), shown => UNKNOWN), best
# %% wrong="used not heeded" says="was ignored: only"
#~ best[:used] => best
# %% wrong="the prompt" says="here is the prompt"
#~ UNKNOWN), shown => UNKNOWN), prompt
# %% wrong="the titles" says="here are the titles"
#~ UNKNOWN), shown => UNKNOWN), [title for title, _ in shown]
# %% wrong="texts in one" says="both in one text"
#~ UNKNOWN), shown => UNKNOWN), ["\n".join(passage) for passage in shown]
# %% wrong="nothing shown in silence" says="is UNKNOWN, too"
#~ UNKNOWN), shown => UNKNOWN), (shown if holds else [])
# %% wrong="without the citation" says="a part of the answer"
#~ (answer if => (re.sub(r"\s*\[\d+\]", "", answer) if
# %% wrong="read twice" says="asked once"
#~ read(prompt), best => read(read(prompt)), best
# %% wrong="best last" says="first in the prompt"
#~ best, budget) => best, budget, best_last=True)
# %% wrong="the numbers of all passages" says="not the first of all passages"
#~ for passage in shown] => for passage in passages]
# %% wrong="the cut one is not shown" clause="including one that was cut" says="so it was shown" of="a loop"
#~ shown = best[:used] => shown = [p for p in best[:used] if p[1] in prompt]
# %% wrong="no passage, no reader" says="even where no passage is shown" of="a loop"
#~ shown = best[:used] => shown = best[:used]
#~ answer = read(prompt) => answer = read(prompt) if shown else UNKNOWN
# %% right="filter and islice"
def ask(question, search, passages, read, admitted, k=3, budget=700):
    from itertools import islice

    best = list(islice((passages[i] for i in search(question) if admitted(*passages[i])), k))
    prompt, used = build_prompt(question, best, budget)
    del best[used:]
    answer = read(prompt)
    return (answer, best) if supported(answer, list(map("\n".join, best))) else (UNKNOWN, best)
# %% right="silence looked for first" of="a loop"
#~ if not supported( => if answer == UNKNOWN or not supported(
# %% right="stops when full" of="a loop"
#-         if len(best) < k and admitted(title, text):
#-             best.append((title, text))
#+         if len(best) == k:
#+             break
#+         if admitted(title, text):
#+             best.append((title, text))
# %% right="lists of two" of="a loop"
#~ best.append((title, text)) => best.append(passages[number])
# %% right="a source for each number" of="a loop"
#~ [f"{title}\n{text}" for title, text in shown] => [passage[0] + "\n" + passage[1] for passage in shown]
# %% right="the words of UNKNOWN" of="a loop"
#~ answer = UNKNOWN => answer = "I do not know."
