-- Ends a window of an account.
--
-- KEYS[1]  the window, as limiter-check.lua writes it
-- KEYS[2]  the account's live windows, as limiter-check.lua counts them
-- KEYS[3]  the same window under its names in full
-- ARGV[1]  the length of the window in milliseconds
--
-- Returns  1 if the window was running, else 0

local MINUTE_MS = 60000
local HOUR_MS = 3600000
local DAY_MS = 86400000

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local held = redis.call('GET', KEYS[1]) or redis.call('GET', KEYS[3])
local reset = held and tonumber(string.match(held, ' (%d+)$'))
if not reset or reset <= now then return 0 end

redis.call('DEL', KEYS[1], KEYS[3])
local window_ms = tonumber(ARGV[1])
local unit = window_ms < HOUR_MS and MINUTE_MS or window_ms < DAY_MS and HOUR_MS or DAY_MS
local ends = string.format('%d', math.ceil(reset / unit) * unit)
-- A server that has lost the count, and not the window, has nothing to give back.
if (tonumber(redis.call('HGET', KEYS[2], ends)) or 0) > 0 then
  redis.call('HINCRBY', KEYS[2], ends, -1)
  redis.call('HINCRBY', KEYS[2], 'live', -1)
end
return 1
