-- How easy a text in English is to read. Words are runs of letters, sentences end with . ! or ?, syllables are groups of
-- vowels without a silent e: estimates, as all formulas of this kind use them.
local function syllables(word)
  word = word:lower()
  local n = 0
  for _ in word:gmatch("[aeiouy]+") do n = n + 1 end
  if n > 1 and word:find("[^aeiouyl]e$") then n = n - 1 end
  return n > 0 and n or 1
end

local function counts(text)
  local words, parts, sentences = 0, 0, 0
  for word in text:gmatch("%a[%a']*") do
    words = words + 1
    parts = parts + syllables(word)
  end
  for _ in text:gmatch("[^.!?]*%a[^.!?]*") do sentences = sentences + 1 end
  return words, parts, sentences
end

-- Flesch's reading ease (1948), kept in 0..100: 100 very easy, 60 plain, 30 difficult. 0 for a text without words.
function reading_ease(text)
  local words, parts, sentences = counts(text)
  if words == 0 then return 0 end
  local ease = 206.835 - 1.015 * words / sentences - 84.6 * parts / words
  return math.max(0, math.min(100, ease))
end

-- The school grade that the text takes (Kincaid, 1975), not below 0.
function reading_grade(text)
  local words, parts, sentences = counts(text)
  if words == 0 then return 0 end
  return math.max(0, 0.39 * words / sentences + 11.8 * parts / words - 15.59)
end
