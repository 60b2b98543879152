"""Lists: scikit-learn, scipy, statsmodels, krippendorff, irrCAC, pytrec_eval, numpy."""

import functools
import math
import warnings
from fractions import Fraction

import krippendorff
import mpmath
import numpy as np
import pandas as pd
import pytrec_eval
import scipy.interpolate
import scipy.stats
import sklearn.metrics as metrics
from irrCAC.raw import CAC
from statsmodels.stats.inter_rater import fleiss_kappa
from statsmodels.stats.proportion import proportion_confint

from oracles import Case

warnings.filterwarnings("ignore")
mpmath.mp.dps = 30


def number(random_):
    kind = random_.randrange(4)
    if kind == 0:
        return random_.randint(-5, 5)
    if kind == 1:
        return random_.randint(0, 3)
    return round(random_.uniform(-100, 100), random_.randint(0, 4))


def exact(value):
    return Fraction(str(value))


def finite(value):
    value = float(value)
    return value if math.isfinite(value) else None


class Retrieval(Case):
    """Without relevant documents, a metric is missing; trec_eval returns 0."""

    name = "retrieval"
    modules = ("retrieval",)
    inputs = "input ranked: list of text\ninput gains: map of number\nlet relevant = [n for n, g in gains when g > 0]"
    outputs = {
        "p3": "precision_at(ranked, relevant, 3)",
        "r3": "recall_at(ranked, relevant, 3)",
        "ap": "average_precision(ranked, relevant)",
        "rr": "reciprocal_rank(ranked, relevant)",
        "rp": "r_precision(ranked, relevant)",
        "n5": "ndcg_at(ranked, gains, 5)",
        "n99": "ndcg_at(ranked, gains, 99)",
        "h3": "hit_at(ranked, relevant, 3)",
        "f3": "f_at(ranked, relevant, 3, 1)",
    }

    def degenerate(self):
        return [
            {"ranked": ["a"], "gains": {"a": 1}},
            {"ranked": ["a"], "gains": {"b": 1}},
            {"ranked": ["a", "b"], "gains": {"a": 0, "b": 0}},
            {"ranked": ["a", "b", "c"], "gains": {"c": 3}},
        ]

    def record(self, random_):
        documents = [f"d{i}" for i in range(random_.randint(1, 15))]
        random_.shuffle(documents)
        gains = {d: random_.choice([0, 0, 1, 2, 3]) for d in documents if random_.random() < 0.6}
        gains.update({f"x{i}": random_.choice([0, 1, 2]) for i in range(random_.randint(0, 3))})
        return {"ranked": documents, "gains": gains}

    def expected(self, record):
        names = list(self.outputs)
        if not any(g > 0 for g in record["gains"].values()):
            return {name: None for name in names if name not in ("p3",)}
        run = {"q": {d: 100.0 - i for i, d in enumerate(record["ranked"])}}
        judged = {"q": record["gains"]}
        found = pytrec_eval.RelevanceEvaluator(
            judged, {"P_3", "recall_3", "map", "recip_rank", "Rprec", "ndcg_cut_5", "ndcg"}
        ).evaluate(run)["q"]
        out = dict(zip(names, [found["P_3"], found["recall_3"], found["map"], found["recip_rank"], found["Rprec"],
                               found["ndcg_cut_5"], found["ndcg"]]))
        relevant = {d for d, g in record["gains"].items() if g > 0}
        hits = len(relevant.intersection(record["ranked"][:3]))
        out.update({"h3": int(hits > 0), "f3": Fraction(2 * hits, len(relevant) + 3)})
        return out


class Classification(Case):
    """A class that was never predicted has no precision and does not count: zero_division is NaN. The correlation of a
    constant is missing; scikit-learn has 0."""

    name = "classification"
    modules = ("classification",)
    inputs = "input truth, predicted: list of text"
    outputs = {
        "accuracy_": "accuracy(truth, predicted)",
        "balanced": "balanced_accuracy(truth, predicted)",
        "mcc_": "mcc(truth, predicted)",
        **{
            f"{name}_{average}": f'{call}, "{average}")'
            for name, call in [
                ("p", "precision(truth, predicted"),
                ("r", "recall(truth, predicted"),
                ("f", "f_measure(truth, predicted, 2"),
            ]
            for average in ("micro", "macro", "weighted")
        },
    }

    def degenerate(self):
        return [{"truth": t, "predicted": p} for t, p in
                [(["a"], ["a"]), (["a"], ["b"]), (["a", "a"], ["a", "a"]), (["a", "a"], ["a", "b"]), (["a", "b"], ["b", "a"])]]

    def record(self, random_):
        classes = "abcde"[: random_.randint(1, 5)]
        truth = [random_.choice(classes) for _ in range(random_.randint(1, 20))]
        return {"truth": truth, "predicted": [t if random_.random() < 0.5 else random_.choice(classes) for t in truth]}

    def expected(self, record):
        t, p = record["truth"], record["predicted"]
        n = len(t)
        constant = len(set(t)) == 1 or len(set(p)) == 1
        out = {
            "accuracy_": Fraction(sum(a == b for a, b in zip(t, p)), n),
            "balanced": metrics.balanced_accuracy_score(t, p),
            "mcc_": None if constant else metrics.matthews_corrcoef(t, p),
        }
        for average in ("micro", "macro", "weighted"):
            nan = {"average": average, "zero_division": np.nan}
            out["p_" + average] = finite(metrics.precision_score(t, p, **nan))
            out["r_" + average] = finite(metrics.recall_score(t, p, **nan))
            out["f_" + average] = finite(metrics.fbeta_score(t, p, beta=2, **nan))
        if not set(t) & set(p):  # no true class was predicted: nothing to weigh, where scikit-learn has 0
            out["p_weighted"] = None
        return out


class Probabilities(Case):
    """Log loss is missing if a certain decision was wrong; scikit-learn clips probabilities at the smallest float."""

    name = "classification.probabilities"
    modules = ("classification",)
    inputs = "input truth: list of bool\ninput chances: list of number 0..1"
    outputs = {"brier_": "brier(truth, chances)", "loss": "log_loss(truth, chances)", "ece": "calibration_error(truth, chances, 10)"}

    def degenerate(self):
        return [{"truth": [], "chances": []}, {"truth": [True], "chances": [0]}, {"truth": [True, False], "chances": [1, 0]},
                {"truth": [False], "chances": [0.1]}]

    def record(self, random_):
        n = random_.randint(1, 20)
        return {"truth": [random_.random() < 0.5 for _ in range(n)], "chances": [round(random_.random(), random_.choice([1, 2, 4])) for _ in range(n)]}

    def expected(self, record):
        truth, chances = record["truth"], [exact(c) for c in record["chances"]]
        if not truth:
            return {"brier_": None, "loss": None, "ece": None}
        right = [c if t else 1 - c for t, c in zip(truth, chances)]
        bins = {}
        for t, c in zip(truth, chances):
            bins.setdefault(max(math.ceil(c * 10), 1), []).append(c - t)
        loss = None
        if min(right) > 0:
            loss = metrics.log_loss(truth, [float(c) for c in chances], labels=[False, True])
        return {
            "brier_": sum((c - t) ** 2 for t, c in zip(truth, chances)) / len(truth),
            "loss": loss,
            "ece": sum(abs(sum(gaps)) for gaps in bins.values()) / Fraction(len(truth)),
        }


class TwoRaters(Case):
    """scikit-learn weighs distances between places of categories: here ratings are 1 to k and all occur, or the two are the
    same thing only for neighbouring numbers, so that labels are given. Undefined is missing."""

    name = "agreement.two"
    modules = ("agreement",)
    inputs = "input a, b: list of whole"
    outputs = {
        "kappa": "cohen_kappa(a, b)",
        "linear": "kappa_linear(a, b)",
        "quadratic": "kappa_quadratic(a, b)",
        "tau": "kendall_tau(a, b)",
        "rho": "spearman(a, b)",
        "r": "pearson(a, b)",
    }

    def degenerate(self):
        return [{"a": a, "b": b} for a, b in [([1], [1]), ([1], [2]), ([1, 1], [1, 1]), ([1, 2], [2, 1]), ([1, 1], [1, 2]), ([2, 2, 2], [1, 3, 2])]]

    def record(self, random_):
        most = random_.randint(2, 6)
        a = [random_.randint(1, most) for _ in range(random_.randint(1, 15))]
        return {"a": a, "b": [x if random_.random() < 0.5 else random_.randint(1, most) for x in a]}

    def expected(self, record):
        a, b = record["a"], record["b"]
        labels = list(range(1, 7))
        same = set(a) == set(b) and len(set(a)) == 1
        out = {}
        for name, weights in [("kappa", None), ("linear", "linear"), ("quadratic", "quadratic")]:
            out[name] = None if same else finite(metrics.cohen_kappa_score(a, b, labels=labels, weights=weights))
        constant = len(set(a)) == 1 or len(set(b)) == 1
        out["tau"] = None if constant else finite(scipy.stats.kendalltau(a, b).statistic)
        out["rho"] = None if constant else finite(scipy.stats.spearmanr(a, b).statistic)
        out["r"] = None if constant else finite(scipy.stats.pearsonr(a, b).statistic)
        return out


class ManyRaters(Case):
    """Items with their ratings, gaps left out. krippendorff and irrCAC refuse what is constant; here it is missing."""

    name = "agreement.many"
    modules = ("agreement",)
    inputs = "input items: list of list of whole"
    outputs = {
        "nominal": "alpha_nominal(items)",
        "ordinal": "alpha_ordinal(items)",
        "interval": "krippendorff_alpha(items)",
        "ratio": "alpha_ratio(items)",
        "fleiss": "fleiss_kappa(items)",
        "ac1": "gwet_ac1(items)",
        "ac2": "gwet_ac2(items, 2)",
    }

    def degenerate(self):
        return [{"items": i} for i in [[], [[1]], [[1, 1]], [[1, 2]], [[1, 1], [2, 2]], [[1, 1], [1, 1], [2]], [[1, 2], [2, 1]], [[1, 2, 3]]]]

    def record(self, random_):
        most, raters = random_.randint(2, 5), random_.randint(2, 5)
        gaps = random_.choice([0, 0.3])
        items = []
        for _ in range(random_.randint(1, 10)):
            true = random_.randint(1, most)
            ratings = [true if random_.random() < 0.6 else random_.randint(1, most) for _ in range(raters)]
            items.append([r for r in ratings if random_.random() >= gaps])
        return {"items": items}

    def expected(self, record):
        items = record["items"]
        values = sorted({v for item in items for v in item})
        raters = max((len(item) for item in items), default=0)
        pairable = [item for item in items if len(item) >= 2]
        pooled = {v for item in pairable for v in item}
        out = {}
        table = np.array([[item[i] if i < len(item) else np.nan for item in items] for i in range(raters)], dtype=float)
        for name in ("nominal", "ordinal", "interval", "ratio"):
            out[name] = None
            if len(pooled) > 1:
                out[name] = float(krippendorff.alpha(reliability_data=table, level_of_measurement=name))
        sizes = {len(item) for item in items}
        if len(sizes) == 1 and raters >= 2:
            counts = np.array([[item.count(v) for v in values] for item in items])
            out["fleiss"] = None if len(values) < 2 else finite(fleiss_kappa(counts))
        elif len(sizes) != 1 or raters < 2:
            out["fleiss"] = None
        rated = [item for item in items if item]
        out["ac1"] = out["ac2"] = None
        if len(values) > 1 and pairable:
            frame = pd.DataFrame([[item[i] if i < len(item) else np.nan for i in range(raters)] for item in rated])
            out["ac1"] = gwet(rated, values, lambda x, y: Fraction(int(x == y)))
            span = values[-1] - values[0]
            out["ac2"] = gwet(rated, values, lambda x, y: 1 - Fraction(x - y, span) ** 2)
            # irrCAC rounds its coefficients to five digits; the formula with fractions gives all of them.
            if len(frame) > 1 and not frame.isna().any().any():
                for name, weights in (("ac1", "identity"), ("ac2", "quadratic")):
                    theirs = CAC(frame, weights=weights).gwet()["est"]["coefficient_value"]
                    if abs(theirs - float(out[name])) > 1e-5:
                        out[name] = float(theirs)
        return out


def gwet(items, values, weight):
    q = len(values)
    observed = []
    for item in items:
        n = len(item)
        if n < 2:
            continue
        observed.append(Fraction(sum(item.count(x) * (sum(weight(x, y) * item.count(y) for y in values) - 1) for x in values)) / (n * (n - 1)))
    shares = [sum(Fraction(item.count(x), len(item)) for item in items) / len(items) for x in values]
    expected = sum(weight(x, y) for x in values for y in values) * sum(p * (1 - p) for p in shares) / Fraction(q * (q - 1))
    agreed = sum(observed) / len(observed)
    return (agreed - expected) / (1 - expected) if expected != 1 else None


class Concordance(Case):
    name = "agreement.concordance"
    modules = ("agreement",)
    inputs = "input sources: list of list of number"
    outputs = {"w": "kendall_w(sources)"}

    def degenerate(self):
        return [{"sources": s} for s in [[[1, 2]], [[1, 1], [1, 1]], [[1, 2, 3], [3, 2, 1]], [[1]]]]

    def record(self, random_):
        n, m = random_.randint(2, 8), random_.randint(1, 6)
        return {"sources": [[random_.randint(1, 6) for _ in range(n)] for _ in range(m)]}

    def expected(self, record):
        sources = record["sources"]
        m, n = len(sources), len(sources[0])
        ranks = [[Fraction(str(r)) for r in scipy.stats.rankdata(s)] for s in sources]
        sums = [sum(column) for column in zip(*ranks)]
        squares = sum((s - sum(sums) / n) ** 2 for s in sums)
        ties = sum(sum(s.count(v) ** 3 - s.count(v) for v in set(s)) for s in sources)
        below = m * m * (n**3 - n) - m * ties
        out = {"w": 12 * squares / below if below else None}
        if m > 2 and n > 2 and below:  # Friedman's statistic is m (n - 1) W
            friedman = finite(scipy.stats.friedmanchisquare(*zip(*sources)).statistic)
            if friedman is not None and abs(friedman - float(m * (n - 1) * out["w"])) > 1e-9:
                out["w"] = friedman / (m * (n - 1))
        return out


@functools.lru_cache(maxsize=None)
def beta_quantile(p, a, b):
    """With thirty digits: scipy's own quantiles have ten to fourteen. Its result is the start of Newton's method."""
    if p in (0, 1):
        return None
    p, a, b = mpmath.mpf(p), mpmath.mpf(a), mpmath.mpf(b)
    x = mpmath.mpf(float(scipy.stats.beta.ppf(float(p), float(a), float(b))))
    for _ in range(4):
        density = mpmath.exp((a - 1) * mpmath.log(x) + (b - 1) * mpmath.log(1 - x)) / mpmath.beta(a, b)
        step = (mpmath.betainc(a, b, 0, x, regularized=True) - p) / density
        x -= step
        if abs(step) < abs(x) * mpmath.mpf(10) ** -20:
            break
    return x


@functools.lru_cache(maxsize=None)
def student_quantile(p, freedom):
    if p == "1/2":
        return mpmath.mpf(0)
    share = mpmath.mpf(Fraction(p).numerator) / Fraction(p).denominator
    n = mpmath.mpf(freedom)
    t = mpmath.mpf(float(scipy.stats.t.ppf(float(share), float(n))))
    constant = mpmath.gamma((n + 1) / 2) / mpmath.sqrt(n * mpmath.pi) / mpmath.gamma(n / 2)
    for _ in range(4):
        tail = mpmath.betainc(n / 2, mpmath.mpf(1) / 2, 0, n / (n + t * t), regularized=True) / 2
        below = 1 - tail if t > 0 else tail
        step = (below - share) / (constant * (1 + t * t / n) ** (-(n + 1) / 2))
        t -= step
        if abs(step) < mpmath.mpf(10) ** -20:
            break
    return t


class Numbers(Case):
    name = "statistics"
    modules = ("statistics", "aggregate")
    inputs = "input a, b: list of number"
    outputs = {
        "trimmed": "trimmed_mean(a, 0.2)",
        "winsorised": "winsorised_mean(a, 0.2)",
        "mad": "median_deviation(a)",
        "q1": "quartiles(a).q1",
        "q3": "quartiles(a).q3",
        "theil": "theil_sen_trend(a)",
        "low": "mean_interval_t(a, 0.95).low",
        "high": "mean_interval_t(a, 0.99).high",
        "d": "cohens_d(a, b)",
        "cliff": "cliffs_delta(a, b)",
        "ewm": "last(exponential_average(a, 0.3))",
        "moving": "last(moving_average(a, 3))",
        "cusum_": "last(cusum(a, 1, 0.5).high)",
        "power": "power_mean([abs(v) + 1 for v in a], [i + 1 for i, v in a], 3)",
        "geometric": "geometric_mean([abs(v) + 1 for v in a], [i + 1 for i, v in a])",
        "harmonic_": "harmonic_mean([abs(v) + 1 for v in a], [i + 1 for i, v in a])",
    }

    def degenerate(self):
        return [{"a": a, "b": b} for a, b in [([], []), ([1], []), ([1], [1]), ([2, 2, 2], [2, 2]), ([1, 2], [3, 4]), ([0, 0, 0, 0, 5], [1, 1])]]

    def record(self, random_):
        return {k: [number(random_) for _ in range(random_.randint(0, 14))] for k in "ab"}

    def expected(self, record):
        a, b = ([exact(v) for v in record[k]] for k in "ab")
        x, n = np.array([float(v) for v in a]), len(a)
        out = dict.fromkeys(self.outputs)
        out["cliff"] = Fraction(sum((p > q) - (p < q) for p in a for q in b), n * len(b)) if n and b else None
        if not n:
            return out
        ordered, cut = sorted(a), int(Fraction(n) / 5)
        out["trimmed"] = sum(ordered[cut : n - cut]) / Fraction(n - 2 * cut)
        out["winsorised"] = float(scipy.stats.mstats.winsorize(x, limits=(0.2, 0.2)).mean())
        out["mad"] = float(scipy.stats.median_abs_deviation(x))
        out["q1"], out["q3"] = (float(np.percentile(x, p)) for p in (25, 75))
        out["ewm"] = float(pd.Series(x).ewm(alpha=0.3, adjust=False).mean().iloc[-1])
        tail = a[-3:]
        out["moving"] = sum(tail) / Fraction(len(tail))
        high = Fraction(0)
        for v in a:
            high = max(high + v - 1 - Fraction(1, 2), Fraction(0))
        out["cusum_"] = high
        above, weights = [abs(v) + 1 for v in a], range(1, n + 1)
        out["power"] = float(scipy.stats.pmean([float(v) for v in above], 3, weights=list(weights)))
        out["geometric"] = float(scipy.stats.gmean([float(v) for v in above], weights=list(weights)))
        out["harmonic_"] = Fraction(sum(weights)) / sum(w / v for v, w in zip(above, weights))
        if n >= 2:
            out["theil"] = float(scipy.stats.theilslopes(x).slope)
            mean, error = x.mean(), scipy.stats.sem(x)
            out["low"] = float(mean + float(student_quantile("1/40", n - 1)) * error)
            out["high"] = float(mean + float(student_quantile("199/200", n - 1)) * error)
        if n >= 2 and len(b) >= 2:
            y = np.array([float(v) for v in b])
            pooled = math.sqrt(((n - 1) * x.var(ddof=1) + (len(b) - 1) * y.var(ddof=1)) / (n + len(b) - 2))
            out["d"] = float((x.mean() - y.mean()) / pooled) if pooled else None
        return out


class Shares(Case):
    share = 0.3  # exact quantiles take milliseconds
    name = "statistics.shares"
    modules = ("statistics",)
    inputs = "input hits, n: whole\ninput p: number\ninput freedom: number"
    outputs = {
        "wilson_low": "wilson_interval(hits, n, 2).low",
        "exact_low": "exact_interval(hits, n, 0.95).low",
        "exact_high": "exact_interval(hits, n, 0.9).high",
        "z": "normal_quantile(p)",
        "t": "student_quantile(p, freedom)",
        "b": "beta_quantile(p, freedom, 2.5)",
        "below": "normal_share(p)",
    }

    def degenerate(self):
        return [{"hits": h, "n": n, "p": p, "freedom": f} for h, n, p, f in
                [(0, 0, 0.5, 1), (0, 1, 0.5, 1), (1, 1, 0.001, 1), (0, 10, 0.999999, 2), (5, 5, 0, 3), (2, 5, 1, 3), (1, 2, 1e-12, 30), (3, 2, 0.3, 0)]]

    def record(self, random_):
        n = random_.choice([1, 5, 20, 300, 20000])
        return {"hits": random_.randint(0, n), "n": n, "p": round(random_.random(), random_.choice([1, 2, 6])), "freedom": random_.choice([1, 2, 3.5, 10, 40, 1000])}

    def expected(self, record):
        hits, n, p, f = (record[k] for k in ("hits", "n", "p", "freedom"))
        out = {"below": float(scipy.stats.norm.cdf(p))}
        inside = 0 < p < 1
        share = exact(p)
        out["z"] = float(mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(share.numerator) / share.denominator - 1)) if inside else None
        out["t"] = student_quantile(str(share), f) if inside and f > 0 else None
        out["b"] = beta_quantile(str(p), f, 2.5) if inside and f > 0 else None
        if 0 < n and hits <= n:
            out["exact_low"] = float(proportion_confint(hits, n, 0.05, method="beta")[0]) if hits else 0
            out["exact_high"] = float(proportion_confint(hits, n, 0.1, method="beta")[1]) if hits < n else 1
            share, z = hits / n, 2
            out["wilson_low"] = (share + z * z / (2 * n) - z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))) / (1 + z * z / n)
        else:
            out["exact_low"] = out["exact_high"] = None
        return out


def split_mix(seed):
    state, mask = seed % 2**64, 2**64 - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield z ^ (z >> 31)


class Bootstrap(Case):
    """The same random numbers in Python, otherwise with fractions: equal to the last digit."""

    share = 0.2
    name = "statistics.bootstrap"
    modules = ("statistics",)
    inputs = "input a: list of number\ninput seed: whole"
    outputs = {
        "low": "bootstrap_mean(a, 0.9, 50, seed).low",
        "high": "bootstrap_mean(a, 0.9, 50, seed).high",
        "median_low": "bootstrap_median(a, 0.9, 50, seed).low",
        "median_high": "bootstrap_median(a, 0.9, 50, seed).high",
    }

    def degenerate(self):
        return [{"a": a, "seed": 3} for a in ([], [1], [2, 2, 2])] + [{"a": [1, 2], "seed": -1}]

    def record(self, random_):
        return {"a": [number(random_) for _ in range(random_.randint(1, 12))], "seed": random_.randint(-5, 10**9)}

    def expected(self, record):
        a = sorted(exact(v) for v in record["a"])
        if not a:
            return dict.fromkeys(self.outputs)
        numbers, n = split_mix(record["seed"]), len(a)
        samples = [sorted(a[((next(numbers) >> 32) * n) >> 32] for _ in range(n)) for _ in range(50)]
        means = sorted(sum(s) / Fraction(n) for s in samples)
        medians = sorted((s[(n - 1) // 2] + s[n // 2]) / Fraction(2) for s in samples)

        def quantile(values, p):
            position = p * (len(values) - 1)
            at = math.floor(position)
            after = values[min(at + 1, len(values) - 1)]
            return values[at] + (position - at) * (after - values[at])

        low, high = Fraction(1, 20), Fraction(19, 20)
        return {"low": quantile(means, low), "high": quantile(means, high), "median_low": quantile(medians, low), "median_high": quantile(medians, high)}


class Curves(Case):
    name = "normalise"
    modules = ("normalise",)
    inputs = "input x: number\ninput points: list of list of number\ninput baseline: list of number"
    outputs = {"smooth": "smooth_curve(x, points)", "straight": "piecewise(x, points)", "rank_": "percentile_rank(x, baseline)", "z": "z_share(x, baseline)"}

    def degenerate(self):
        return [{"x": x, "points": p, "baseline": b} for x, p, b in
                [(0, [[0, 0], [1, 1]], []), (0.5, [[0, 0], [1, 1]], [0.5]), (5, [[0, 0], [1, 1], [2, 1]], [5, 5, 5]), (1, [[0, 0], [1, 1], [2, 0]], [1, 2])]]

    def record(self, random_):
        xs = sorted({round(random_.uniform(0, 20), 1) for _ in range(random_.randint(2, 8))} | {0, 20})
        points = [[x, round(random_.uniform(0, 5), 1) if random_.random() < 0.8 else 1] for x in xs]
        return {"x": round(random_.uniform(0, 20), 2), "points": points, "baseline": [round(random_.uniform(0, 20), 0) for _ in range(random_.randint(0, 10))]}

    def expected(self, record):
        x, baseline = record["x"], record["baseline"]
        xs, ys = zip(*record["points"])
        inside = min(max(x, xs[0]), xs[-1])
        n = len(baseline)
        below = [exact(b) < exact(x) for b in baseline], [exact(b) == exact(x) for b in baseline]
        deviation = float(np.std(baseline, ddof=1)) if n > 1 else 0
        return {
            "smooth": float(scipy.interpolate.PchipInterpolator(xs, ys)(inside)),
            "straight": float(np.interp(inside, xs, ys)),
            "rank_": (sum(below[0]) + Fraction(sum(below[1]), 2)) / n if n else None,
            "z": float(scipy.stats.norm.cdf((x - float(np.mean(baseline))) / deviation)) if deviation else None,
        }


CASES = [Retrieval, Classification, Probabilities, TwoRaters, ManyRaters, Concordance, Numbers, Shares, Bootstrap, Curves]
