-- wrk sleeps out its duration even when its threads have stopped: the bench interrupts that sleep
-- when it reads this line, so that the rate is counted over the time that was really used.
local ended = false

return function()
  if ended then return end
  ended = true
  io.write('ENDED EARLY\n')
  io.flush()
  wrk.thread:stop()
end
