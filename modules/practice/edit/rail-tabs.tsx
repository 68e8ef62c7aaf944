import { Timeline } from '../../../core/record/timeline.tsx'
import type { PracticeDetail } from '../bank/calls.ts'
import { practice } from '../bank/practice.ts'
import { OneToThreePanel } from '../similar/one-to-three-panel.tsx'
import { ReportsPanel } from '../report/reports-panel.tsx'
import { StatPanel } from '../stat/stat-panel.tsx'
import { UsesPanel } from './uses-panel.tsx'

/** What became of a stored question: what learners answered, where it is used, who changed it. */
export const storedTabs = (detail: PracticeDetail) => [
  { key: 'one-to-three', label: '举一反三', children: <OneToThreePanel detail={detail} /> },
  { key: 'statistics', label: '统计', children: <StatPanel detail={detail} /> },
  { key: 'uses', label: detail.ref_count > 0 ? `引用 ${detail.ref_count}` : '引用', children: <UsesPanel detail={detail} /> },
  { key: 'reports', label: detail.report_count > 0 ? `报错 ${detail.report_count}` : '报错', children: <ReportsPanel detail={detail} /> },
  // Single fields are not set back from here: the versions do that with the whole question.
  { key: 'log', label: '日志', children: <Timeline resource={practice} row={{ ...detail, can: [] } as never} onChanged={() => undefined} /> },
]
