"""Texts: rapidfuzz, rouge-score, sacrebleu, and the evaluation script of SQuAD."""

import collections
import re
import string
from fractions import Fraction

import sacrebleu
from rapidfuzz import fuzz
from rapidfuzz.distance import Jaro, JaroWinkler, LCSseq, Levenshtein
from rouge_score import rouge_scorer

from oracles import Case

WORDS = "the a an cat cats sat on mat dog runs quickly over lazy fox it's 3.14 1,000 don't (hi) U.S. end. state-of-the-art x-1 5-6".split()


def sentence(random_, most=12, words=WORDS):
    separators = [" "] * 8 + ["  ", ", ", ". ", "\n", "-", " & ", "&amp;"]
    out = ""
    for _ in range(random_.randint(0, most)):
        out += random_.choice(words) + random_.choice(separators)
    return out


def altered(random_, text):
    """The text with some characters replaced, left out or moved: similar to it, as names and answers are."""
    characters = list(text)
    for _ in range(random_.randint(0, 4)):
        if not characters:
            break
        at = random_.randrange(len(characters))
        action = random_.randrange(3)
        if action == 0:
            characters[at] = random_.choice("abcdeé日")
        elif action == 1:
            del characters[at]
        else:
            characters.insert(at, random_.choice("abcdeé日"))
    return "".join(characters)


PAIRS = [("", ""), ("", "a"), ("a", ""), ("a", "a"), ("a", "b"), (" ", " "), ("aa", "aaa"), ("the", "The."),
         ("a" * 64, "a" * 64), ("a" * 64, "a" * 65), ("ab" * 64, "ba" * 64), ("a" * 130, "b" * 130), ("é日本", "日本é"),
         ("!!!", "???"), ("\n", "x"), ("one\ntwo", "two\none")]


class Pairs(Case):
    modules = ("text",)
    inputs = "input a, b: text"

    def degenerate(self):
        return [{"a": a, "b": b} for a, b in PAIRS]


class Distance(Pairs):
    """Winkler's bonus is for similarities above 0.7: of those that are 0.7 exactly, floats make some a little more."""

    name = "text.distance"
    outputs = {
        "edit": "edit_distance(a, b)",
        "edit_share": "edit_similarity(a, b)",
        "common": "common_length(a, b)",
        "ratio": "common_ratio(a, b)",
        "jaro_": "jaro(a, b)",
        "jaro_winkler_": "jaro_winkler(a, b)",
    }

    def record(self, random_):
        length = random_.choice([3, 8, 20, 70, 200])
        a = "".join(random_.choice("abcdeé日") for _ in range(random_.randint(0, length)))
        b = altered(random_, a) if random_.random() < 0.6 else "".join(random_.choice("abcd") for _ in range(length))
        return {"a": a, "b": b}

    def expected(self, record):
        a, b = record["a"], record["b"]
        edit, common, longest = Levenshtein.distance(a, b), LCSseq.similarity(a, b), max(len(a), len(b))
        return {
            "edit": edit,
            "edit_share": 1 - Fraction(edit, longest) if longest else 1,
            "common": common,
            "ratio": fuzz.ratio(a, b) / 100,
            "jaro_": Jaro.similarity(a, b),
            **({} if abs(Jaro.similarity(a, b) - 0.7) < 1e-12 else {"jaro_winkler_": JaroWinkler.similarity(a, b)}),
        }


class Rouge(Pairs):
    """rouge-score gives 0 where a text without a word leaves a figure undefined; here it is missing, and the F measure is 0
    when one text alone has no word. Texts are ASCII: rouge-score takes all letters beyond for separators."""

    name = "text.rouge"
    outputs = {
        f"{kind}_{part}": f"{call}.{part}"
        for kind, call in [
            ("r1", "rouge_1(a, b)"),
            ("r2", "rouge_2(a, b)"),
            ("r4", "ngram_overlap(a, b, 4)"),
            ("rl", "rouge_l(a, b)"),
            ("rs", "rouge_l_sum(a, b)"),
        ]
        for part in ("precision", "recall", "f")
    }
    scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rouge4", "rougeL", "rougeLsum"], use_stemmer=False)

    def degenerate(self):
        return [r for r in super().degenerate() if (r["a"] + r["b"]).isascii()]

    def record(self, random_):
        words = random_.choice([WORDS, ["a", "b"], ["one", "two", "three", "four"]])
        a = sentence(random_, random_.choice([3, 12, 80]), words)
        return {"a": a, "b": sentence(random_, random_.choice([3, 12, 80]), words)}

    def expected(self, record):
        a, b = record["a"], record["b"]
        scores = self.scorer.score(b, a)
        have, wanted = len(re.findall("[a-z0-9]+", a.lower())), len(re.findall("[a-z0-9]+", b.lower()))
        out = {}
        for kind, name, n in [("r1", "rouge1", 1), ("r2", "rouge2", 2), ("r4", "rouge4", 4), ("rl", "rougeL", 1),
                              ("rs", "rougeLsum", 1)]:
            x, y = max(have - n + 1, 0), max(wanted - n + 1, 0)
            out[kind + "_precision"] = scores[name].precision if x else None
            out[kind + "_recall"] = scores[name].recall if y else None
            out[kind + "_f"] = scores[name].fmeasure if x or y else None
        return out


class Translation(Case):
    """Of two texts without a token BLEU and chrF are missing, where sacrebleu has 0."""

    name = "text.translation"
    modules = ("text",)
    inputs = "input a: text\ninput references: list of text"
    outputs = {"bleu_": "bleu(a, references)", "chrf_": "chrf(a, references)", "chrf_two": "chrf_plus(a, references)"}

    def degenerate(self):
        return [{"a": a, "references": [b]} for a, b in PAIRS] + [
            {"a": "the cat", "references": ["the cat", "the cat"]},
            {"a": "a b c d", "references": ["a b c", "a b c d e"]},
            {"a": "x <skipped> y-\nz &quot;q&quot;", "references": ["xy z \"q\""]},
        ]

    def record(self, random_):
        words = random_.choice([WORDS, ["a", "b", "c"], ["größe", "日本", "naïve", "x."]])
        references = [sentence(random_, random_.choice([2, 6, 30]), words) for _ in range(random_.randint(1, 3))]
        a = altered(random_, references[0]) if random_.random() < 0.4 else sentence(random_, 30, words)
        return {"a": a, "references": references}

    def expected(self, record):
        a, references = record["a"], record["references"]
        bleu = sacrebleu.sentence_bleu(a, references).score / 100
        empty = [not "".join(t.split()) for t in [a] + references]
        return {
            "bleu_": None if empty[0] and any(empty[1:]) else bleu,
            "chrf_": None if all(empty) else sacrebleu.sentence_chrf(a, references).score / 100,
            "chrf_two": None if all(empty) else sacrebleu.sentence_chrf(a, references, word_order=2).score / 100,
        }


def squad_normalised(text):
    """From the evaluation script of SQuAD 1.1."""
    text = "".join(c for c in text.lower() if c not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


class Answers(Pairs):
    """Two answers without a word agree, as in SQuAD 2.0."""

    name = "text.answers"
    outputs = {"exact": "1 when exact_match(a, b) else 0", "f1": "token_f1(a, b)", "sets": "jaccard(a, b)"}

    def record(self, random_):
        a = sentence(random_, random_.choice([2, 5, 20]))
        return {"a": a, "b": a.title() if random_.random() < 0.2 else sentence(random_, random_.choice([2, 5, 20]))}

    def expected(self, record):
        x, y = squad_normalised(record["a"]).split(), squad_normalised(record["b"]).split()
        common = sum((collections.Counter(x) & collections.Counter(y)).values())
        word = re.compile("[^\\W_]+")
        p, q = (set(word.findall(record[k].lower())) for k in "ab")
        kana = [c for c in record["a"] + record["b"] if ord(c) > 0x2000]
        out = {"exact": int(x == y), "f1": Fraction(2 * common, len(x) + len(y)) if x or y else 1}
        if not kana:
            out["sets"] = Fraction(len(p & q), len(p | q)) if p | q else None
        return out


CASES = [Distance, Rouge, Translation, Answers]
