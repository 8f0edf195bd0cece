-- Registers an account, so that its counts are polled. Called before each status that lets it count.
--
-- KEYS[1]  accounts by the time (Unix milliseconds) from which their counts are offered
-- KEYS[2]  accounts by the time of their last registration
-- ARGV[1]  the account

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZADD', KEYS[1], 'NX', now, ARGV[1])
redis.call('ZADD', KEYS[2], now, ARGV[1])
