-- Takes one unit from a fixed window that starts with its first request.
--
-- KEYS[1]  the counter: a hash of `used` and `reset` (Unix milliseconds at which the window ends)
-- ARGV[1]  the limit of a window
-- ARGV[2]  the window's length in whole milliseconds
--
-- Returns  { allowed (1 or 0), remaining, reset }
--
-- Redis's clock decides, so gateways with other clocks agree. `reset` is stored and never computed again, so it does not
-- wobble. A denied call writes nothing.

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local limit = tonumber(ARGV[1])

local held = redis.call('HMGET', KEYS[1], 'used', 'reset')
local used = tonumber(held[1]) or 0
local reset = tonumber(held[2]) or 0
if reset <= now then
  used = 0
  reset = now + tonumber(ARGV[2])
end
if used >= limit then
  return { 0, 0, reset }
end
used = used + 1
redis.call('HSET', KEYS[1], 'used', used, 'reset', reset)
redis.call('PEXPIREAT', KEYS[1], reset)
return { 1, limit - used, reset }
