-- Notes that counts of a key are in the log for good, and drops those of minutes that are over. A count that has grown
-- meanwhile is not the one that was published, and stays.
--
-- KEYS[1]  the key's card (limiter-check.lua)
-- KEYS[2]  the account's set of keys with counts to be published
-- ARGV[1]  the key's name in the set
-- ARGV[2…] for each minute its number since 1970, and "incarnation allowed denied refused"

local time = redis.call('TIME')
local minute = math.floor(tonumber(time[1]) / 60)
local published = {}
for index = 2, #ARGV, 2 do published[ARGV[index]] = ARGV[index + 1] end

local card = redis.call('HGETALL', KEYS[1])
local clean = true
for index = 1, #card, 2 do
  local of = tonumber(card[index])
  if of then
    local counts = string.match(card[index + 1], '^(%S+ %d+ %d+ %d+) ')
    if published[card[index]] ~= counts and not string.find(counts, ' 0 0 0$') then
      clean = false
    elseif of < minute - 1 then
      -- The minute before stays, for when the clock is set back a little.
      redis.call('HDEL', KEYS[1], card[index])
    end
  end
end
if clean then
  redis.call('HDEL', KEYS[1], 'dirty')
  redis.call('SREM', KEYS[2], ARGV[1])
end
