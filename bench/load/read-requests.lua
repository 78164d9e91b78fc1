require('report')

local reads = {}
local position = 0

-- args: file of one read a line: request id, a space, the identity header of its owner
function init(args)
  for line in io.lines(args[1]) do
    local requestId, identity = line:match('^(%S+) (.+)$')
    reads[#reads + 1] = 'GET /requests/' .. requestId .. ' HTTP/1.1\r\nHost: 127.0.0.1\r\n' ..
      identity .. '\r\n\r\n'
  end
end

function request()
  position = position % #reads + 1
  return reads[position]
end
