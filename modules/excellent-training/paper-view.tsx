import { Alert, InputNumber, Modal, Space, Table } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { ListButton } from '../../core/list/list-button.tsx'
import { present, type RowDialogProps } from '../../core/resource/present.tsx'
import { presentPapers } from '../paper/door.tsx'
import { bandOf, type Band } from './bands.ts'
import { excellentPaper, MOST_POINTS } from './excellent-paper.ts'
import { excellentScore } from './score.ts'

type Row = RowDialogProps<typeof excellentPaper>['row']
const bandsOf = (row: Row) => ((row as Readonly<Record<string, unknown>>)['bands'] ?? []) as Band[]

/** 分班试算: a score, and where it leads. */
function TryDialog({ row, onClose }: RowDialogProps<typeof excellentPaper>) {
  const [score, setScore] = useState<number | null>(null)
  const bands = bandsOf(row).toSorted((a, b) => b.from - a.from)
  const band = score === null ? undefined : bandOf(bands, score)
  const project = band && `/excellent-training/project?${new URLSearchParams({ class_type: band.class_type, subject_id: String(row.subject_id) }).toString()}`
  return (
    <Modal open title={`分班试算 · ${row.name}`} footer={null} onCancel={onClose}>
      {bands.length === 0 ? <Alert type="info" showIcon title="还没有分数段，请先编辑试卷，填写分数段对应的等级和班型" /> : (
        <Space orientation="vertical" className="wide">
          <Space wrap><span>得分</span><InputNumber aria-label="得分" min={0} max={MOST_POINTS} precision={1} value={score} onChange={setScore} suffix="分" /></Space>
          <div aria-live="polite">{band ? <>等级 <b>{band.level}</b>，分到 <b>{band.class_type}</b>{project && <>，<Link to={project}>查看项目</Link></>}</> : score === null ? '输入得分，查看会分到哪个班型' : '低于最低的分数段，不分班'}</div>
          <Table size="small" pagination={false} rowKey="from" dataSource={bands} rowClassName={({ from }) => (from === band?.from ? 'ant-table-row-selected' : '')} columns={[
            { title: '分数段', render: (_value, { from }, index) => (index === 0 ? `${from} 分及以上` : `${from}–${bands[index - 1]?.from ?? ''} 分（不含）`) }, { title: '等级', dataIndex: 'level' }, { title: '班型', dataIndex: 'class_type' },
          ]} />
        </Space>
      )}
    </Modal>
  )
}

/** Tests: what every list of papers has, the scores, and where a score leads. */
export default presentPapers(excellentPaper, present(excellentPaper)({
  slots: { toolbar: () => <ListButton resource={excellentScore} label="测评成绩" /> },
  rowActions: [{ key: 'try', label: '分班试算', visible: (row) => row.deleted_at === null }],
  dialogs: { try: TryDialog },
}))
