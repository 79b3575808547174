// The order of what a search finds: chapters and pages before single names of the reference.
var Scorer = {
  objNameMatch: 6,
  objPartialMatch: 2,
  objPrio: { 0: 1, 1: 0, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 10,
  term: 5,
  partialTerm: 2,
};
