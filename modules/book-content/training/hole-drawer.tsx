import { Alert, Button, Drawer, Space } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatDate } from '../../../core/field/time.ts'
import { useWide } from '../../../core/ui/use-media.tsx'
import { SelectedPanel } from '../../practice/door.tsx'
import { OrderDialog } from '../order/order-dialog.tsx'
import { bookSets, TRAINING_GROUPS } from '../sets.ts'
import type { Training, TrainingChapter } from './calls.ts'
import { figuresOf } from './totals.ts'

interface Props {
  training: Training
  chapter: TrainingChapter
  group: number
  mayEdit: boolean
  onGroup: (group: number) => void
  onChanged: () => Promise<unknown>
  onClose: () => void
}

/** One chapter's sets: what is chosen, what is missing, and who writes it. */
export function HoleDrawer({ training: { book, orders }, chapter, group, mayEdit, onGroup, onChanged, onClose }: Props) {
  const wide = useWide('lg')
  const [giving, setGiving] = useState(false)
  const { missing } = figuresOf(chapter, group)
  const own = orders.filter((one) => one.chapter_id === chapter.id && one.group_key === group)
  const rest = missing - own.reduce((sum, { wanted }) => sum + wanted, 0)
  const name = TRAINING_GROUPS.find(({ value }) => value === group)?.label ?? ''
  return (
    <Drawer open size={wide ? 760 : '100%'} title={chapter.name} onClose={onClose}>
      <div className="bc-drawer">
        <p className="note">{book.name} · {book.partwork_name} · 正式试题 {chapter.offered} 道</p>
        {(missing > 0 || own.length > 0) && (
          <Alert type={rest > 0 ? 'warning' : 'info'} showIcon title={missing > 0 ? `${name}缺 ${missing} 道${own.length > 0 ? `，已派 ${missing - rest} 道` : ''}` : `${name}已补上`}
            description={own.length > 0 && <ul className="bc-list">{own.map(({ id, staff_name, wanted, due_at }) => <li key={id}>{staff_name ?? '已离职员工'} {wanted} 道，{formatDate(due_at).slice(5)} 截止 <Link to={`/practiceBook/content/training?show=orders&open=${id}`}>查看</Link></li>)}</ul>}
            action={mayEdit && rest > 0 && <Button size="small" onClick={() => setGiving(true)}>派写题任务</Button>} />
        )}
        <SelectedPanel at={{ scope: 'chapter', id: chapter.id, subjectId: book.subject_id, labelIds: [] }} mayEdit={mayEdit} only={{ line: bookSets(book.id), group, onGroup, onBuilt: onChanged }} />
        <Space><Link to={`/practice/ebook-catalogue-label?cat_id=${book.subject_id}&partwork_id=${book.partwork_id}&id=${chapter.id}`}>教材章节</Link></Space>
      </div>
      {giving && <OrderDialog title={`${chapter.name} · ${name}`} most={rest} hole={{ kind: 'set', book_id: book.id, chapter_id: chapter.id, group_key: group }} onClose={() => setGiving(false)} onDone={async () => { setGiving(false); await onChanged() }} />}
    </Drawer>
  )
}
