-- Reverts one call that `take.lua` has counted.
--
-- KEYS[1]  the counter: a hash of `used` and `reset` (Unix milliseconds at which the window ends)
-- ARGV[1]  the end of the window in which the call was counted
--
-- Returns  1 if the call was reverted, 0 if that window has ended
--
-- A window that has ended has left the server, or has another `reset`.

local held = redis.call('HMGET', KEYS[1], 'used', 'reset')
if tonumber(held[2]) ~= tonumber(ARGV[1]) or (tonumber(held[1]) or 0) < 1 then
  return 0
end
redis.call('HINCRBY', KEYS[1], 'used', -1)
return 1
