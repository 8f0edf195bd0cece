-- Writes the status of a key, unless a newer one is there; a revocation is final.
--
-- KEYS[1]  the key's state (limiter-check.lua)
-- ARGV[1]  the status
-- ARGV[2]  the version of the organization that has this status
-- ARGV[3]  lifetime of the status, in milliseconds
-- ARGV[4]  lifetime of the unused state, in milliseconds
-- ARGV[5]  the name of the server on which it is valid (server-memory.ts)
-- ARGV[6]  when the key ends, in Unix milliseconds, or nothing for a key without an end
--
-- Returns  1 if it was written, else 0

local held = redis.call('HMGET', KEYS[1], 'status', 'version')
if held[1] == 'revoked' or (tonumber(held[2]) or 0) > tonumber(ARGV[2]) then return 0 end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local key_ends = tonumber(ARGV[6]) or math.huge
-- A key that has ended may get another end, so it is not revoked for good.
local status = key_ends <= now and ARGV[1] ~= 'revoked' and 'ended' or ARGV[1]
local valid_until = now + tonumber(ARGV[3])
if key_ends > now then valid_until = math.min(valid_until, key_ends) end
redis.call('HSET', KEYS[1], 'status', status, 'version', ARGV[2], 'until', valid_until, 'memory', ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
