import { Waiting } from './progress-bar.tsx'
import './page-skeleton.css'

/** What stands for a page until its code is here. It shows itself only when that takes a moment. */
export function PageSkeleton() {
  return (
    <div className="page-skeleton" role="status" aria-busy aria-label="正在加载">
      <Waiting />
      <div className="bone bone-bar" />
      <div className="bone bone-tools" />
      {[1, 2, 3, 4, 5, 6].map((row) => <div key={row} className="bone" />)}
    </div>
  )
}
