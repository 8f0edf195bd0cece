-- Reads the valid status of a key.
--
-- KEYS[1]  the key's state (limiter-check.lua)
-- ARGV[1]  the name of this server's memory
--
-- Returns  the status, or nil if none is valid

-- The longest life of a status, whatever the clock does.
local STATUS_LIFE_MS = 60000

local held = redis.call('HMGET', KEYS[1], 'status', 'until', 'memory')
if held[1] == 'revoked' then return held[1] end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local believed = (tonumber(held[2]) or 0) - now
if held[3] ~= ARGV[1] or believed <= 0 or believed > STATUS_LIFE_MS then return nil end
if held[1] == 'ended' then return 'revoked' end
return held[1]
