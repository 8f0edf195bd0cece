-- Forgets an account that has nothing to publish, unless it was noted again meanwhile.
--
-- KEYS[1]  accounts by the time from which on their counts are to be offered
-- KEYS[2]  accounts by the time at which they were noted last
-- ARGV[1]  the account
-- ARGV[2]  when it was noted last, as far as the caller knows
--
-- Returns  1 when it was forgotten, else 0

if (redis.call('ZSCORE', KEYS[2], ARGV[1]) or '0') ~= ARGV[2] then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return 1
