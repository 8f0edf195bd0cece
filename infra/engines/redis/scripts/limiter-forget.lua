-- Forgets an account without unpublished counts, unless it was registered again meanwhile.
--
-- KEYS[1]  accounts by the time from which their counts are offered
-- KEYS[2]  accounts by the time of their last registration
-- ARGV[1]  the account
-- ARGV[2]  the last registration that the caller knows
--
-- Returns  1 if it was forgotten, else 0

if (redis.call('ZSCORE', KEYS[2], ARGV[1]) or '0') ~= ARGV[2] then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return 1
