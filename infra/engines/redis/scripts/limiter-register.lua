-- Notes that an account is in use, so that its counts are found. Done before each status that lets it count.
--
-- KEYS[1]  accounts by the time (Unix milliseconds) from which on their counts are to be offered
-- KEYS[2]  accounts by the time at which they were noted last
-- ARGV[1]  the account

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZADD', KEYS[1], 'NX', now, ARGV[1])
redis.call('ZADD', KEYS[2], now, ARGV[1])
