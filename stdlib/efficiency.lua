-- Efficiency against a baseline: how many tokens, calls and milliseconds work of a category usually takes, and what share
-- of a mark a run earns. Ratio to baseline: at or below it the full mark, above it baseline / used.
local baselines = {
  code_generation = {tokens = 50, calls = 3, time = 30000},
  design = {tokens = 150, calls = 4, time = 45000},
  research = {tokens = 100, calls = 8, time = 60000},
  analysis = {tokens = 200, calls = 5, time = 20000},
}

-- The baseline of a category ("analysis" for one that is not known): tokens per unit of output, calls per file, ms.
function baseline(category)
  return baselines[category] or baselines.analysis
end

-- A share from 0 to 1: `expected` against what was `used`.
function ratio(expected, used)
  if used <= expected then return 1 end
  return expected / used
end

-- The mean of the ratios of tokens (0.4), calls (0.3) and time (0.3) to the baseline, 0..1.
function efficiency(category, output_size, files, tokens, calls, time)
  local base = baseline(category)
  return 0.4 * ratio(base.tokens * output_size, tokens) + 0.3 * ratio(base.calls * files, calls) + 0.3 * ratio(base.time, time)
end
