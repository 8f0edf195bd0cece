-- Records that counts of a key are durable in the log, and deletes those of past minutes. A count that has grown
-- meanwhile differs from the published one, and stays.
--
-- KEYS[1]  the key's state (limiter-check.lua)
-- KEYS[2]  the account's set of keys with unpublished counts
-- ARGV[1]  the key's name in the set
-- ARGV[2…] for each minute its number since 1970, and "incarnation allowed denied refused"

local time = redis.call('TIME')
local minute = math.floor(tonumber(time[1]) / 60)
local published = {}
for index = 2, #ARGV, 2 do published[ARGV[index]] = ARGV[index + 1] end

local state = redis.call('HGETALL', KEYS[1])
local clean = true
for index = 1, #state, 2 do
  local of = tonumber(state[index])
  if of then
    local counts = string.match(state[index + 1], '^(%S+ %d+ %d+ %d+) ')
    if published[state[index]] ~= counts and not string.find(counts, ' 0 0 0$') then
      clean = false
    elseif of < minute - 1 then
      -- The previous minute stays, in case the clock is set back a little.
      redis.call('HDEL', KEYS[1], state[index])
    end
  end
end
if clean then
  redis.call('HDEL', KEYS[1], 'dirty')
  redis.call('SREM', KEYS[2], ARGV[1])
end
