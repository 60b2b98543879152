"""Compares `assay sensitivity` and `assay calibrate` with established packages, on published data.

Usage: oracles.py ASSAY

Packages: python3 -m venv build/venv && build/venv/bin/pip install -r tests/analysis/requirements.txt

Data sets, and what is compared on each:
  Triantaphyllou and Sanchez 1997, Decision Sciences 28:151-194   pymcdm (scores, order), fractions (intervals, ties)
  Fisher 1936, Annals of Eugenics 7:179-188 (iris)                SALib (correlation ratio), scipy (alike), pymcdm
  Forina et al. 1988, PARVUS (wine)                               the same
  Efron et al. 2004, Annals of Statistics 32:407-499 (diabetes)   the same
  Anscombe 1973, The American Statistician 27:17-21               scipy (Spearman, tau-b), fractions (MAE, bias)
  Cohen 1960, Educ. Psychol. Meas. 20:37-46, table 1              scikit-learn (kappas), published kappa
  Krippendorff 2011, Computing Krippendorff's Alpha-Reliability   krippendorff, published alphas
  Shrout and Fleiss 1979, Psychol. Bull. 86:420-428, table 2      pingouin (Cronbach's alpha, ICC), krippendorff, scipy
"""

import json
import math
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

SKIPPED = 77  # ctest treats this as a skipped test

try:
    import krippendorff
    import numpy as np
    import pingouin
    import scipy.stats
    import sklearn.datasets
    import sklearn.metrics
    from pymcdm.methods import WSM
    from SALib.analyze.delta import sobol_first
except ImportError as missing:
    print(f"skipped: {missing}; pip install -r tests/analysis/requirements.txt")
    sys.exit(SKIPPED)

assay = sys.argv[1]
compared = failed = 0


def check(what, found, expected, within=1e-9):
    global compared, failed
    compared += 1
    if found is None or not math.isclose(found, expected, rel_tol=within, abs_tol=within):
        failed += 1
        print(f"{what}: {found}, expected {expected}")


def same(what, found, expected):
    global compared, failed
    compared += 1
    if found != expected:
        failed += 1
        print(f"{what}: {found}, expected {expected}")


def ask(verb, rubric, records, *options):
    with tempfile.TemporaryDirectory() as directory:
        at = Path(directory)
        (at / "r.rubric").write_text(rubric)
        (at / "r.ndjson").write_text("".join(json.dumps(record) + "\n" for record in records))
        run = subprocess.run(
            [assay, verb, at / "r.rubric", at / "r.ndjson", "--to", "json", *options], capture_output=True, text=True
        )
        if run.returncode != 0:
            sys.exit(f"{verb}: exit {run.returncode}: {run.stderr}")
        return json.loads(run.stdout)


def fraction(value):
    return Fraction(value) if isinstance(value, str) else Fraction(repr(value))


# ---- weights


def weighing(name, columns, weights, rows, top):
    """Rows of decimals as texts, weights as fractions of 1 in decimals."""
    rubric = f'rubric compared {{ version "1" scale 0..{top} decimals 9\n'
    for column, weight in zip(columns, weights):
        rubric += f"dimension {column} weight {weight}\n"
    rubric += "rank by higher score }\n"
    records = [{"id": str(i), **{c: float(v) for c, v in zip(columns, row)}} for i, row in enumerate(rows)]
    answer = ask("sensitivity", rubric, records, "--samples", "9604")
    same(f"{name}: records", answer["records"], len(rows))
    same(f"{name}: left out", answer["left_out"], [])
    matrix = np.array([[float(v) for v in row] for row in rows])
    shares = np.array([float(w) for w in weights])
    method = WSM(normalization_function=lambda column, cost=False: column)
    kinds = np.ones(len(columns))

    # The winner by pymcdm's weighted sum, and at each end of its interval: it stays inside, and another one is at least
    # level outside.
    scores = method(matrix, shares, kinds)
    winner = int(answer["winner"])
    check(f"{name}: winner", scores[winner], scores.max(), 1e-8)
    for k, column in enumerate(columns):
        entry = answer["weights"][k]
        low, high = (float(fraction(entry["winner"][side])) for side in ("low", "high"))
        for share in (low, high):
            for outside in (False, True):
                at = share + (1e-6 if (share == high) == outside else -1e-6)
                if not 0 <= at <= 1 or (outside and share in (0.0, 1.0)):
                    continue
                moved = shares * (1 - at) / (1 - shares[k])
                moved[k] = at
                then = method(matrix, moved, kinds)
                same(f"{name}: {column}, winner at {at}", bool(then[winner] >= then.max() - 1e-9), not outside)
    # The first order effect of given data by SALib, with the same bins: distinct values, or 20 of about equal size.
    total = 0.0
    ratios = []
    for k, column in enumerate(columns):
        x = matrix[:, k]
        counts = np.unique(x, return_counts=True)[1]
        firsts = np.concatenate([[0], np.cumsum(counts)])  # equal values share a bin, that of the first of them
        if len(counts) > 20:
            bins = firsts[:-1] * 20 // len(x)
            firsts = np.concatenate([firsts[:-1][np.diff(bins, prepend=-1) > 0], [len(x)]])
        bounds = firsts
        order = np.argsort(x, kind="stable")
        ratio = sobol_first(scores[order], np.arange(len(x)) + 0.5, bounds)
        ratios.append(ratio)
        total += ratio
        check(f"{name}: {column}, correlation ratio", answer["weights"][k]["correlation_ratio"], ratio, 1e-6)
    for k, ratio in enumerate(ratios):
        check(f"{name}: {columns[k]}, effect", answer["weights"][k]["effect"], ratio / total, 1e-6)
    # Correlated dimensions.
    alike = {entry["pair"]: entry["correlation"] for entry in answer["alike"]}
    for a in range(len(columns)):
        for b in range(a + 1, len(columns)):
            r = scipy.stats.pearsonr(matrix[:, a], matrix[:, b]).statistic if len(rows) > 2 else 0
            pair = f"{columns[a]}, {columns[b]}"
            same(f"{name}: alike {pair}", pair in alike, abs(r) >= 0.9)
            if pair in alike:
                check(f"{name}: {pair}", alike[pair], r, 1e-8)
    # Shares of places, by independent samples from the same distribution.
    random = np.random.default_rng(1)
    drawn = random.dirichlet(np.ones(len(columns)), 20000) @ matrix.T
    firsts = np.bincount(drawn.argmax(axis=1), minlength=len(rows)) / len(drawn)
    for i, share in enumerate(firsts):
        found = next(entry["ranks"][0] for entry in answer["acceptability"] if int(entry["id"]) == i)
        check(f"{name}: {i} first", found, share, 0.02)
    return answer, scores


def triantaphyllou():
    """The example of section 4: four alternatives, four criteria."""
    weights = ["0.3277", "0.3058", "0.2876", "0.0789"]
    rows = [
        ["0.3088", "0.2897", "0.3867", "0.1922"],
        ["0.2163", "0.3458", "0.1755", "0.6288"],
        ["0.4509", "0.2473", "0.1194", "0.0575"],
        ["0.0240", "0.1172", "0.3184", "0.1215"],
    ]
    name = "Triantaphyllou and Sanchez"
    answer, scores = weighing(name, ["c1", "c2", "c3", "c4"], weights, rows, 1)
    # The preferences that the article gives.
    for i, published in enumerate((0.3162, 0.2768, 0.2621, 0.1450)):
        check(f"{name}: preference {i}", float(scores[i]), published, 5e-4)
    # Theorem for the weighted sum: the least change of one weight that makes two alternatives tie.
    w = [Fraction(x) for x in weights]
    v = [[Fraction(x) for x in row] for row in rows]
    total = [sum(a * b for a, b in zip(w, row)) for row in v]
    order = sorted(range(4), key=lambda i: -total[i])
    for k in range(4):
        least = None
        for i, j in zip(order, order[1:]):
            if v[i][k] == v[j][k]:
                continue
            change = (total[j] - total[i]) / (v[i][k] - v[j][k])
            if w[k] + change >= 0 and (least is None or abs(change) < abs(least)):
                least = change
        found = answer["weights"][k]["least_change"]
        same(f"{name}: least change of c{k + 1}", None if found is None else fraction(found), least)
    # The nearest rival, in squares: where the projection has no weight below 0 it has a closed form.
    for rival in answer["rivals"]:
        d = [a - b for a, b in zip(v[order[0]], v[int(rival["id"])])]
        gap = sum(a * b for a, b in zip(w, d))
        mean = sum(d) / 4
        c = [x - mean for x in d]
        near = [a - gap * x / sum(y * y for y in c) for a, x in zip(w, c)]
        if min(near) >= 0:
            same(f"{name}: weights at the tie", [fraction(x) for x in rival["weights"].values()], near)


def bundled(name, data, top):
    columns = [f"x{k}" for k in range(data.shape[1])]
    each = Fraction(100, len(columns))
    weights = [f"{float(int(each * 100)) / 10000:.4f}" for _ in columns]
    weights[0] = str(float(1 - sum(Fraction(w) for w in weights[1:])))
    weighing(name, columns, weights, [[repr(round(float(x), 6)) for x in row] for row in data], top)


# ---- agreement


def figures(records, rubric, measure, *options):
    answer = ask("calibrate", rubric, records, "--floor", "2", *options)
    return next(f for f in answer["figures"] if f["measure"] == measure and f["judge"] is None), answer


def numbers(name, rated, gold, top):
    rubric = f'rubric compared {{ version "1" scale 0..{top} decimals 2 dimension v weight 100% }}'
    records = [{"id": str(i), "v": a, "gold": {"v": b}} for i, (a, b) in enumerate(zip(rated, gold))]
    found, _ = figures(records, rubric, "v")
    check(f"{name}: Spearman", found["spearman"]["value"], scipy.stats.spearmanr(rated, gold).statistic)
    check(f"{name}: tau-b", found["tau_b"]["value"], scipy.stats.kendalltau(rated, gold, variant="b").statistic)
    check(f"{name}: MAE", found["mae"]["value"], sklearn.metrics.mean_absolute_error(gold, rated))
    check(f"{name}: bias", found["bias"]["value"], float(np.mean(np.array(rated) - np.array(gold))))
    alpha = krippendorff.alpha(reliability_data=[rated, gold], level_of_measurement="interval")
    check(f"{name}: alpha", found["alpha"]["value"], alpha)


def anscombe():
    x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
    y1 = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
    y2 = [9.14, 8.14, 8.74, 8.77, 9.26, 8.10, 6.13, 3.10, 9.13, 7.26, 4.74]
    y3 = [7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73]
    x4 = [8, 8, 8, 8, 8, 8, 8, 19, 8, 8, 8]
    y4 = [6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.50, 5.56, 7.91, 6.89]
    for i, (a, b) in enumerate(((x, y1), (x, y2), (x, y3), (x4, y4))):
        numbers(f"Anscombe {i + 1}", a, b, 20)


def cohen():
    """200 diagnoses of two clinicians: personality disorder, neurosis, psychosis."""
    table = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
    names = ["personality", "neurosis", "psychosis"]
    rubric = (
        'rubric compared { version "1" scale 0..10 dimension v weight 100% '
        'bands kind(score) { | score | kind | | >= 7 | "psychosis" | | >= 4 | "neurosis" | | >= 0 | "personality" | } }'
    )
    records, a, b = [], [], []
    for i, row in enumerate(table):
        for j, count in enumerate(row):
            for _ in range(count):
                records.append({"id": str(len(records)), "v": [1, 5, 9][i], "gold": {"kind": names[j]}})
                a.append(i)
                b.append(j)
    found, _ = figures(records, rubric, "kind")
    check("Cohen: published kappa", round(found["kappa"]["value"], 3), 0.492)
    check("Cohen: kappa", found["kappa"]["value"], sklearn.metrics.cohen_kappa_score(a, b))
    check("Cohen: linear", found["linear"]["value"], sklearn.metrics.cohen_kappa_score(a, b, weights="linear"))
    check("Cohen: quadratic", found["quadratic"]["value"], sklearn.metrics.cohen_kappa_score(a, b, weights="quadratic"))
    alpha = krippendorff.alpha(reliability_data=[a, b], level_of_measurement="ordinal")
    check("Cohen: ordinal alpha", found["alpha"]["value"], alpha)
    check("Cohen: exact", found["exact"]["value"], 0.7)


def krippendorff_2011():
    """Section B: ten units, two observers, two categories. Section C: twelve units, five categories."""
    first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    second = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    for name, a, b, published in (
        ("binary", ["ny"[x] for x in first], ["ny"[x] for x in second], 0.095),
        ("nominal", list("aabbdcccedda"), list("babbbccceddd"), 0.692),
    ):
        rubric = 'rubric compared { version "1" input c: text output code = c }'
        records = [{"id": str(i), "c": x, "gold": {"code": y}} for i, (x, y) in enumerate(zip(a, b))]
        found, _ = figures(records, rubric, "code")
        check(f"Krippendorff {name}: published alpha", round(found["alpha"]["value"], 3), published)
        names = sorted(set(a + b))
        data = [[names.index(x) for x in a], [names.index(x) for x in b]]
        alpha = krippendorff.alpha(reliability_data=data, level_of_measurement="nominal")
        check(f"Krippendorff {name}: alpha", found["alpha"]["value"], alpha)
        check(f"Krippendorff {name}: kappa", found["kappa"]["value"], sklearn.metrics.cohen_kappa_score(a, b))


def shrout_and_fleiss():
    """Six targets, rated by four judges."""
    table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    judges = ["j1", "j2", "j3", "j4"]
    rubric = 'rubric compared { version "1" scale 0..10 decimals 2\n'
    rubric += "".join(f"dimension {j} weight 25%\n" for j in judges) + "}"
    records = [
        {"id": str(i), **dict(zip(judges, row)), "gold": dict(zip(judges, row))} for i, row in enumerate(table)
    ]
    _, answer = figures(records, rubric, "j1")
    data = np.array(table, dtype=float)
    import pandas

    alpha = pingouin.cronbach_alpha(data=pandas.DataFrame(data, columns=judges))[0]
    check("Shrout and Fleiss: Cronbach's alpha", answer["cronbach_alpha"], float(alpha), 1e-6)
    check("Shrout and Fleiss: published ICC(3,k)", round(answer["cronbach_alpha"], 2), 0.91)
    for k, item in enumerate(answer["items"]):
        rest = data.sum(axis=1) - data[:, k]
        r = scipy.stats.pearsonr(data[:, k], rest).statistic
        check(f"Shrout and Fleiss: discrimination of {item['name']}", item["discrimination"], r)
        check(f"Shrout and Fleiss: mean of {item['name']}", item["mean"], data[:, k].mean())
        check(f"Shrout and Fleiss: deviation of {item['name']}", item["stdev"], data[:, k].std(ddof=1))
    for a in range(4):
        for b in range(a + 1, 4):
            numbers(f"Shrout and Fleiss {a + 1}, {b + 1}", list(data[:, a]), list(data[:, b]), 10)


triantaphyllou()
bundled("iris", sklearn.datasets.load_iris().data, 10)
bundled("wine", sklearn.datasets.load_wine().data, 2000)
bundled("diabetes", np.abs(sklearn.datasets.load_diabetes(scaled=False).data), 500)
anscombe()
cohen()
krippendorff_2011()
shrout_and_fleiss()
print(f"{compared} figures compared, {failed} differ")
sys.exit(1 if failed else 0)
