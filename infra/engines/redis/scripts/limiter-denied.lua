-- Reads which windows of a key denied most calls.
--
-- KEYS[1]  windows by their denied calls since the last change of sets (limiter-check.lua)
-- KEYS[2]  windows by their denied calls before it
-- ARGV[1]  lifetime of a set, in milliseconds
--
-- Returns  { since, window, denied calls, window, denied calls, … }: since when they are counted, in Unix milliseconds

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local answer = { now }
for index = 1, 2 do
  local left = redis.call('PTTL', KEYS[index])
  if left >= 0 then
    answer[1] = math.min(answer[1], now - tonumber(ARGV[1]) + left)
    for _, text in ipairs(redis.call('ZRANGE', KEYS[index], 0, -1, 'WITHSCORES')) do answer[#answer + 1] = text end
  end
end
return answer
