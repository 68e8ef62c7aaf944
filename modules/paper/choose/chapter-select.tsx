import { BookOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import { CatalogTree } from '../../practice/door.tsx'

interface Props {
  subjectId: number | undefined
  value?: number[]
  onChange?: (ids: number[]) => void
  id?: string
}

/** Picks chapters of a subject's textbooks; each stands for everything below it. */
export function ChapterSelect({ subjectId, value = [], onChange, id }: Props) {
  const button = (
    <Button {...(id && { id })} block icon={<BookOutlined />} disabled={subjectId === undefined} className="paper-chapters">
      {subjectId === undefined ? '请先选择学科' : value.length > 0 ? `已选 ${value.length} 个章节` : '章节不限'}
    </Button>
  )
  if (subjectId === undefined) return button
  return (
    <Popover trigger="click" placement="bottomLeft" destroyOnHidden content={(
      <div className="paper-chapter-tree">
        <CatalogTree subjectId={subjectId} selected={value} multiple height={320} onSelect={(ids) => onChange?.(ids)} />
        <Button size="small" disabled={value.length === 0} onClick={() => onChange?.([])}>清空</Button>
      </div>
    )}>{button}</Popover>
  )
}
