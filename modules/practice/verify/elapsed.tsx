import { useEffect, useState, type RefObject } from 'react'
import { useFront } from '../../../core/ui/front.tsx'

/**
 * How long a question has been looked at. It counts by itself, so that nothing else is drawn each second.
 * @param began when it was opened, in milliseconds
 */
export function Elapsed({ began }: { began: RefObject<number> }) {
  const front = useFront()
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (!front) return
    const each = window.setInterval(() => setSeconds(Math.round((Date.now() - began.current) / 1000)), 1000)
    return () => window.clearInterval(each)
  }, [began, front])
  const minutes = Math.floor(seconds / 60)
  return <span className="figure" role="timer">用时 {minutes > 0 && `${minutes} 分 `}{seconds % 60} 秒</span>
}
