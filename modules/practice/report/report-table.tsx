import { Alert, Button } from 'antd'
import { Link } from 'react-router'
import { ListPage } from '../../../core/list/list-page.tsx'
import { present } from '../../../core/resource/present.tsx'
import { editorPath } from '../bank/practice.ts'
import { practiceReport } from './report.ts'

/** A number leads to its question; the editor shows a question wherever it lies. */
const presentation = present(practiceReport)({
  cells: {
    practice_no: ({ value, row }) => <Link className="figure" to={editorPath(row.level, 'official', row.practice_id)}>{value}</Link>,
  },
})
const EVERY = { fixed: {} }

/**
 * Reports of errors, to decide about.
 * @param practiceId only those of one question
 */
export default function ReportTable({ practiceId, onAll }: { practiceId?: string | undefined; onAll: () => void }) {
  return (
    <>
      {practiceId && <Alert type="info" title="只显示一道题的报错" action={<Button size="small" onClick={onAll}>显示全部</Button>} />}
      <ListPage key={practiceId ?? 'all'} resource={practiceReport} presentation={presentation} embedded={practiceId ? { fixed: { practice_id_start: [practiceId], practice_id_end: [practiceId] } } : EVERY} />
    </>
  )
}
