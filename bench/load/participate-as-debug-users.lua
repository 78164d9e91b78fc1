require('report')
local endEarly = require('end-early')

local head, nextUser, lastUser

-- args: event, first user number, last user number
function init(args)
  head = 'POST /events/' .. args[1] .. '/participations HTTP/1.1\r\n' ..
    'Host: 127.0.0.1\r\nContent-Length: 0\r\nX-Debug-User-Id: user-'
  nextUser, lastUser = tonumber(args[2]), tonumber(args[3])
end

function request()
  local user = nextUser
  nextUser = nextUser + 1
  if user > lastUser then endEarly() end
  return head .. user .. '\r\n\r\n'
end
