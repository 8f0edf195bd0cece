-- Reads the status of a key that holds just now.
--
-- KEYS[1]  the key's card (limiter-check.lua)
--
-- Returns  the status, or nil when none is known

local held = redis.call('HMGET', KEYS[1], 'status', 'until')
if held[1] == 'revoked' then return held[1] end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
if (tonumber(held[2]) or 0) <= now then return nil end
return held[1]
