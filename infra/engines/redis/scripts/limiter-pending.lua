-- Reads the counts of a key that wait to be published.
--
-- KEYS[1]  the key's card (limiter-check.lua)
-- KEYS[2]  the account's set of keys with counts to be published
-- ARGV[1]  the key's name in the set
--
-- Returns  for each minute its number since 1970, and "incarnation allowed denied refused peeks"

local time = redis.call('TIME')
local minute = math.floor(tonumber(time[1]) / 60)
local card = redis.call('HGETALL', KEYS[1])
local counts = {}
for index = 1, #card, 2 do
  local of = tonumber(card[index])
  if of then
    if not string.find(card[index + 1], '^%S+ 0 0 0 ') then
      table.insert(counts, card[index])
      table.insert(counts, card[index + 1])
    elseif of < minute - 1 then
      -- Only looked: nothing to publish.
      redis.call('HDEL', KEYS[1], card[index])
    end
  end
end
if #counts == 0 then
  redis.call('HDEL', KEYS[1], 'dirty')
  redis.call('SREM', KEYS[2], ARGV[1])
end
return counts
