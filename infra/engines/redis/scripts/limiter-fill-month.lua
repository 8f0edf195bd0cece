-- Sets the calls of a month so far, unless that month or a later one is counted already.
--
-- KEYS[1]  the key's state (limiter-check.lua)
-- ARGV[1]  the month, YYYY-MM
-- ARGV[2]  the calls so far
-- ARGV[3]  when the month ends, in Unix milliseconds
-- ARGV[4]  lifetime of the unused state, in milliseconds
--
-- Returns  1 if it was written, else 0

local held = redis.call('HGET', KEYS[1], 'month')
if held and held >= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'month', ARGV[1], 'used', ARGV[2], 'ends', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
