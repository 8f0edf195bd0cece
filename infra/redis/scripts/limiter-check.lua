-- Checks a key's status and quotas and the window of one identifier, and counts the call, in one step.
--
-- KEYS[1]  the key's card, a hash:
--            status, version, until   what the organization says of the key, and when to ask again (Unix milliseconds)
--            month, used              the UTC month that is counted (YYYY-MM), and the calls in it
--            dirty                    present while counts wait to be published
--            <minute>                 for each minute since 1970 that is not yet published and over:
--                                     "incarnation allowed denied refused peeks"
-- KEYS[2]  the identifier's window: "used reset", reset being the Unix milliseconds at which it ends
-- KEYS[3]  the account's set of keys with counts to be published
-- KEYS[4]  what an Idempotency-Key is remembered by: "input allowed remaining reset"; absent without one
-- ARGV[1]  the key's name in the set
-- ARGV[2]  calls that the key may make in a minute
-- ARGV[3]  calls that the key may make in a month, or -1 for any number: then the month is not counted
-- ARGV[4]  how much the window holds
-- ARGV[5]  the window's length in milliseconds
-- ARGV[6]  how much of the window is taken; 0 looks
-- ARGV[7]  how long an Idempotency-Key is remembered, in milliseconds
-- ARGV[8]  the digest of what a repeat must have in common with the first; absent without an Idempotency-Key
--
-- Returns  { 1, allowed (1 or 0), remaining, reset, calls in the minute, now }
--          { 2, scope (1: minute, 2: month), milliseconds to wait, calls in the minute, now }
--          { 3 } revoked   { 4 } payment required   { 5 } no status known   { 6, month } calls of the month not known
--          { 7 } the Idempotency-Key was used with other input
--
-- Redis's clock decides, and all numbers are whole. Everything is read before the first write. An end is stored once and
-- never computed again, so it does not wobble; no time that is stored goes back when the clock does.

local MINUTE_MS = 60000
local DAY_MS = 86400000
-- The longest that a status is believed, whatever the clock does.
local STATUS_LIFE_MS = 60000

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local minute = math.floor(now / MINUTE_MS)

-- Days since 1970 of the first day of a month; months beyond 12 are those of later years (days_from_civil, H. Hinnant).
local function first_day(year, month)
  year = year + math.floor((month - 1) / 12)
  month = (month - 1) % 12 + 1
  if month <= 2 then year = year - 1 end
  local era = math.floor(year / 400)
  local year_of_era = year - era * 400
  local day_of_year = math.floor((153 * ((month + 9) % 12) + 2) / 5)
  return era * 146097 + year_of_era * 365 + math.floor(year_of_era / 4) - math.floor(year_of_era / 100) + day_of_year - 719468
end

-- The month of a day counted from 1970 (civil_from_days, H. Hinnant).
local function month_of(day)
  local shifted = day + 719468
  local era = math.floor(shifted / 146097)
  local day_of_era = shifted - era * 146097
  local year_of_era = math.floor(
    (day_of_era - math.floor(day_of_era / 1460) + math.floor(day_of_era / 36524) - math.floor(day_of_era / 146096)) / 365
  )
  local day_of_year = day_of_era - (365 * year_of_era + math.floor(year_of_era / 4) - math.floor(year_of_era / 100))
  local month = (math.floor((5 * day_of_year + 2) / 153) + 2) % 12 + 1
  local year = year_of_era + era * 400
  if month <= 2 then year = year + 1 end
  return string.format('%04d-%02d', year, month)
end

local card = redis.call('HMGET', KEYS[1], 'status', 'until', 'dirty', minute, 'month', 'used')
local status = card[1]
if status == 'revoked' then return { 3 } end
local believed = (tonumber(card[2]) or 0) - now
if not status or believed <= 0 or believed > STATUS_LIFE_MS then return { 5 } end
if status ~= 'active' then return { 4 } end

local incarnation, allowed, denied, refused, peeks = time[1] .. '.' .. time[2], 0, 0, 0, 0
if card[4] then
  incarnation, allowed, denied, refused, peeks = string.match(card[4], '^(%S+) (%d+) (%d+) (%d+) (%d+)$')
end
local calls = allowed + denied + peeks

local remembered = KEYS[4] and redis.call('GET', KEYS[4])
if remembered then
  local input, answer, remaining, reset = string.match(remembered, '^(%S+) (%d) (%d+) (%d+)$')
  if input ~= ARGV[8] then return { 7 } end
  return { 1, tonumber(answer), tonumber(remaining), tonumber(reset), calls, now }
end

-- Writes the minute's counts, and puts the key among those that wait to be published.
local function count(...)
  if not card[3] then
    redis.call('SADD', KEYS[3], ARGV[1])
    redis.call('PEXPIRE', KEYS[3], redis.call('PTTL', KEYS[1]))
    redis.call('HSET', KEYS[1], 'dirty', 1)
  end
  redis.call('HSET', KEYS[1], minute, incarnation .. ' ' .. allowed .. ' ' .. denied .. ' ' .. refused .. ' ' .. peeks, ...)
end

local function refuse(scope, wait)
  refused = refused + 1
  count()
  return { 2, scope, wait, calls, now }
end

local per_month = tonumber(ARGV[3])
local used_in_month = tonumber(card[6])
if per_month >= 0 then
  local month = month_of(math.floor(now / DAY_MS))
  if card[5] and card[5] > month then month = card[5] end
  if card[5] ~= month then return { 6, month } end
  if used_in_month >= per_month then
    local year, number = string.match(month, '^(%d+)-(%d+)$')
    return refuse(2, first_day(tonumber(year), tonumber(number) + 1) * DAY_MS - now)
  end
end
if calls >= tonumber(ARGV[2]) then return refuse(1, (minute + 1) * MINUTE_MS - now) end

local limit, cost = tonumber(ARGV[4]), tonumber(ARGV[6])
local used, reset = string.match(redis.call('GET', KEYS[2]) or '0 0', '^(%d+) (%d+)$')
used, reset = tonumber(used), tonumber(reset)
if reset <= now then used, reset = 0, now + tonumber(ARGV[5]) end

if cost == 0 then
  peeks = peeks + 1
  count()
  return { 1, used < limit and 1 or 0, math.max(0, limit - used), reset, calls + 1, now }
end

local fits = used + cost <= limit
if fits then
  used = used + cost
  redis.call('SET', KEYS[2], used .. ' ' .. reset, 'PXAT', reset)
  allowed = allowed + 1
else
  denied = denied + 1
end
if per_month >= 0 then count('used', used_in_month + 1) else count() end

local remaining = math.max(0, limit - used)
if KEYS[4] then
  local kept = now + tonumber(ARGV[7])
  if not fits then kept = math.min(kept, reset) end
  local answer = ARGV[8] .. ' ' .. (fits and 1 or 0) .. ' ' .. remaining .. ' ' .. reset
  redis.call('SET', KEYS[4], answer, 'PXAT', kept)
end
return { 1, fits and 1 or 0, remaining, reset, calls + 1, now }
