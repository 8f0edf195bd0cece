-- Reads the unpublished counts of a key.
--
-- KEYS[1]  the key's state (limiter-check.lua)
-- KEYS[2]  the account's set of keys with unpublished counts
-- ARGV[1]  the key's name in the set
--
-- Returns  for each minute its number since 1970, and "incarnation allowed denied refused peeks"

local time = redis.call('TIME')
local minute = math.floor(tonumber(time[1]) / 60)
local state = redis.call('HGETALL', KEYS[1])
local counts = {}
for index = 1, #state, 2 do
  local of = tonumber(state[index])
  if of then
    if not string.find(state[index + 1], '^%S+ 0 0 0 ') then
      table.insert(counts, state[index])
      table.insert(counts, state[index + 1])
    elseif of < minute - 1 then
      -- Peeks only: nothing to publish.
      redis.call('HDEL', KEYS[1], state[index])
    end
  end
end
if #counts == 0 then
  redis.call('HDEL', KEYS[1], 'dirty')
  redis.call('SREM', KEYS[2], ARGV[1])
end
return counts
