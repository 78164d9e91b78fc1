require('report')
local endEarly = require('end-early')

local head, nextToken
local token = ''

-- args: event, file of one token a line
function init(args)
  head = 'POST /events/' .. args[1] .. '/participations HTTP/1.1\r\n' ..
    'Host: 127.0.0.1\r\nContent-Length: 0\r\nAuthorization: Bearer '
  nextToken = io.lines(args[2])
end

-- io.lines answers nil once at the end of the file and fails when it is asked again.
function request()
  local following = nextToken and nextToken()
  if following then
    token = following
  else
    nextToken = nil
    endEarly()
  end
  return head .. token .. '\r\n\r\n'
end
