-- Makes checks of one key: of its status, of its quotas and of the windows of identifiers, and counts each call, in one step.
--
-- KEYS[1]  the key's card, a hash:
--            status, version, until   what the organization says of the key, and when to ask again (Unix milliseconds)
--            memory                   the server's memory that believes it: any other one asks again, but for "revoked"
--            month, used, ends        the UTC month that is counted (YYYY-MM), the calls in it, and when it ends
--            dirty                    present while counts wait to be published
--            <minute>                 for each minute since 1970 that is not yet published and over:
--                                     "incarnation allowed denied refused looked"
-- KEYS[2]  the account's set of keys with counts to be published
-- KEYS[3]  how many windows of the account have not ended, a hash:
--            live, next               their number, and when the first of them stops counting (Unix milliseconds)
--            <end>                    for each such time the windows that stop counting then
-- KEYS[…]  for each check the identifier's window, "used reset", reset being the Unix milliseconds at which it ends; and with
--          an Idempotency-Key what it is remembered by, "input allowed remaining reset"
-- ARGV[1]  the name of this server's memory
-- ARGV[2]  the key's name in the set
-- ARGV[3]  calls that the key may make in a minute
-- ARGV[4]  calls that the key may make in a month, or -1 for any number: then the month is not counted
-- ARGV[5]  how long an Idempotency-Key is remembered, in milliseconds
-- ARGV[6]  windows that the account may have at once
-- ARGV[…]  for each check four: how much the window holds; its length in milliseconds; how much is taken, 0 only to look;
--          and the digest of what a repeat must have in common with the first, or nothing without an Idempotency-Key
--
-- Returns  { 3 } revoked   { 4 } payment required   { 5 } no status known   { 6, month } calls of the month not known;
--          else { 0, now, when the month ends or 0, answer of each check in order … }, which are texts, as a client reads one
--          several times as fast as an array of numbers; calls in the month stand there only where it is counted:
--            "1 allowed (1 or 0) remaining reset calls-in-the-minute calls-in-the-month"
--            "2 scope (1: minute, 2: month) milliseconds-to-wait calls-in-the-minute calls-in-the-month"
--            "7" the Idempotency-Key was used with other input
--            "8 milliseconds-to-wait calls-in-the-minute calls-in-the-month" the account has all windows that it may have
--
-- Redis's clock decides, and all numbers are whole. An end is stored once and never computed again, so it does not wobble.
-- Of each check everything is read before anything is changed.

local MINUTE_MS = 60000
local HOUR_MS = 3600000
local DAY_MS = 86400000
-- The longest that a status is believed, whatever the clock does.
local STATUS_LIFE_MS = 60000

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local minute = math.floor(now / MINUTE_MS)
local card = redis.call('HMGET', KEYS[1], 'status', 'until', 'dirty', minute, 'month', 'used', 'ends', 'memory')

local status = card[1]
if status == 'revoked' then return { 3 } end
local believed = (tonumber(card[2]) or 0) - now
if not status or card[8] ~= ARGV[1] or believed <= 0 or believed > STATUS_LIFE_MS then return { 5 } end
if status ~= 'active' then return { 4 } end

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

local per_minute, per_month = tonumber(ARGV[3]), tonumber(ARGV[4])
local used_in_month, month_ends = tonumber(card[6]), tonumber(card[7])
-- A month that is counted goes on until its end, also when the clock is set back before its beginning.
if per_month >= 0 and not (month_ends and now < month_ends) then
  return { 6, month_of(math.floor(now / DAY_MS)) }
end

local incarnation, allowed, denied, refused, looked = time[1] .. '.' .. time[2], 0, 0, 0, 0
if card[4] then
  incarnation, allowed, denied, refused, looked = string.match(card[4], '^(%S+) (%d+) (%d+) (%d+) (%d+)$')
end
local calls = allowed + denied + looked
local counted = false
local next_key = 4

-- The account's windows, which are read when the first one begins; what begins and ends is written at the end.
local live, next_end
local begun, ended = {}, {}

local function has_room()
  if not live then
    local held = redis.call('HMGET', KEYS[3], 'live', 'next')
    live, next_end = tonumber(held[1]) or 0, tonumber(held[2])
    if next_end and next_end <= now then
      live, next_end = 0, nil
      local ends = redis.call('HGETALL', KEYS[3])
      for index = 1, #ends, 2 do
        local at = tonumber(ends[index])
        if at and at <= now then
          ended[#ended + 1] = ends[index]
        elseif at then
          live, next_end = live + ends[index + 1], math.min(next_end or at, at)
        end
      end
    end
  end
  return live < tonumber(ARGV[6])
end

-- An end is rounded up, so that there are about a hundred numbers of an account at most.
local function begin_window(window_ms, reset)
  local unit = window_ms < HOUR_MS and MINUTE_MS or window_ms < DAY_MS and HOUR_MS or DAY_MS
  local at = math.ceil(reset / unit) * unit
  begun[at] = (begun[at] or 0) + 1
  live, next_end = live + 1, math.min(next_end or at, at)
end

-- The calls in minute and month, as they stand at the end of an answer.
local function counted_so_far()
  return per_month >= 0 and calls .. ' ' .. used_in_month or calls
end

local function check(limit, window_ms, cost, input)
  local window, remembered_by = KEYS[next_key], input ~= '' and KEYS[next_key + 1]
  next_key = next_key + (remembered_by and 2 or 1)
  local remembered = remembered_by and redis.call('GET', remembered_by)
  if remembered then
    local before, answer, remaining, reset = string.match(remembered, '^(%S+) (%d) (%d+) (%d+)$')
    if before ~= input then return '7' end
    return '1 ' .. answer .. ' ' .. remaining .. ' ' .. reset .. ' ' .. counted_so_far()
  end

  -- A call that only looks is not stopped by the month, and not counted as refused.
  if cost > 0 and per_month >= 0 and used_in_month >= per_month then
    refused, counted = refused + 1, true
    return '2 2 ' .. month_ends - now .. ' ' .. counted_so_far()
  end
  if calls >= per_minute then
    if cost > 0 then refused, counted = refused + 1, true end
    return '2 1 ' .. (minute + 1) * MINUTE_MS - now .. ' ' .. counted_so_far()
  end

  local used, reset = 0, 0
  local held = redis.call('GET', window)
  if held then
    local space = string.find(held, ' ', 1, true)
    used, reset = tonumber(string.sub(held, 1, space - 1)), tonumber(string.sub(held, space + 1))
  end
  local begins = reset <= now
  if begins then used, reset = 0, now + window_ms end
  local fits = used + cost <= limit
  if begins and fits and cost > 0 and not has_room() then
    refused, counted = refused + 1, true
    return '8 ' .. next_end - now .. ' ' .. counted_so_far()
  end
  calls, counted = calls + 1, true
  if cost == 0 then
    looked = looked + 1
    return '1 ' .. (used < limit and 1 or 0) .. ' ' .. math.max(0, limit - used) .. ' ' .. reset .. ' ' .. counted_so_far()
  end

  if fits then
    if begins then begin_window(window_ms, reset) end
    used, allowed = used + cost, allowed + 1
    redis.call('SET', window, used .. ' ' .. reset, 'PXAT', reset)
  else
    denied = denied + 1
  end
  if per_month >= 0 then used_in_month = used_in_month + 1 end
  local remaining = math.max(0, limit - used)
  if remembered_by then
    local answer = input .. ' ' .. (fits and 1 or 0) .. ' ' .. remaining .. ' ' .. reset
    redis.call('SET', remembered_by, answer, 'PX', ARGV[5])
  end
  return '1 ' .. (fits and 1 or 0) .. ' ' .. remaining .. ' ' .. reset .. ' ' .. counted_so_far()
end

local answers = { 0, now, per_month >= 0 and month_ends or 0 }
for index = 7, #ARGV, 4 do
  answers[#answers + 1] =
    check(tonumber(ARGV[index]), tonumber(ARGV[index + 1]), tonumber(ARGV[index + 2]), ARGV[index + 3])
end

if counted then
  local counts = incarnation .. ' ' .. allowed .. ' ' .. denied .. ' ' .. refused .. ' ' .. looked
  if per_month >= 0 then
    redis.call('HSET', KEYS[1], minute, counts, 'used', used_in_month)
  else
    redis.call('HSET', KEYS[1], minute, counts)
  end
  if not card[3] then
    redis.call('HSET', KEYS[1], 'dirty', 1)
    redis.call('SADD', KEYS[2], ARGV[2])
    redis.call('PEXPIRE', KEYS[2], redis.call('PTTL', KEYS[1]))
  end
end
if next(begun) then
  local last = now
  for at, count in pairs(begun) do
    redis.call('HINCRBY', KEYS[3], at, count)
    last = math.max(last, at)
  end
  redis.call('HSET', KEYS[3], 'live', live, 'next', next_end)
  if #ended > 0 then redis.call('HDEL', KEYS[3], unpack(ended)) end
  if redis.call('PTTL', KEYS[3]) < last - now then redis.call('PEXPIREAT', KEYS[3], last) end
end
return answers
