import { useEffect, useState, type RefObject } from 'react'

/**
 * How long a question has been looked at. It counts by itself, so that nothing else is drawn each second.
 * @param began when it was opened, in milliseconds
 */
export function Elapsed({ began }: { began: RefObject<number> }) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const each = window.setInterval(() => setSeconds(Math.round((Date.now() - began.current) / 1000)), 1000)
    return () => window.clearInterval(each)
  }, [began])
  const minutes = Math.floor(seconds / 60)
  return <span className="figure" role="timer">用时 {minutes > 0 && `${minutes} 分 `}{seconds % 60} 秒</span>
}
