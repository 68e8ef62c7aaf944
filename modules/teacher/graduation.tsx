import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Empty, Modal, Select, Skeleton, Table } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { choiceLabel } from '../../core/field/choice.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { GRADES } from '../reference/module.ts'
import { useSend } from '../user/door.tsx'
import { graduateClasses, previewGraduation } from './calls.ts'
import { CLASS_RIGHTS, SCHOOL_YEARS, schoolYear } from './class.ts'

/** Grades after which learners leave their school. */
const LAST_GRADES = [6, 9, 12]

/** 学年毕业: which classes of a year end, with whom, before anything happens; taken back as one. */
function GraduationDialog({ onClose, reload }: { onClose: () => void; reload: () => void }) {
  const said = useSaid()
  const [year, setYear] = useState(() => schoolYear(Math.floor(Date.now() / 1000)) - 1)
  const [grades, setGrades] = useState(LAST_GRADES)
  const [left, setLeft] = useState<readonly number[]>([])
  const { busy, problem, send } = useSend()
  const { data, error, isFetching } = useQuery({
    queryKey: ['graduation', year, grades], enabled: grades.length > 0, staleTime: 0, gcTime: 0,
    queryFn: ({ signal }) => call(previewGraduation, { school_year: year, grades }, { signal, quiet: true }),
  })
  const classes = grades.length > 0 ? data?.classes ?? [] : []
  const chosen = classes.filter(({ id }) => !left.includes(id))
  const learners = chosen.reduce((sum, one) => sum + one.members, 0)
  const submit = () => send(async () => {
    const { graduated, undo } = await call(graduateClasses, { ids: chosen.map(({ id }) => id) }, { quiet: true })
    said({ words: `${graduated} 个班级已毕业`, undo })
    reload()
    onClose()
  })
  return (
    <Modal open width={760} title="学年毕业" okText={`毕业 ${chosen.length} 个班级`} okButtonProps={{ disabled: chosen.length === 0 || isFetching }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <div className="graduation-which">
        <Select aria-label="学年" value={year} onChange={(value: number) => { setYear(value); setLeft([]) }} options={SCHOOL_YEARS.map(({ value, label }) => ({ value, label }))} />
        <Checkbox.Group value={grades} onChange={(value) => { setGrades(value); setLeft([]) }} options={GRADES.map(({ value, label }) => ({ value, label }))} />
      </div>
      {error ? <Alert type="error" showIcon title={error.message} /> : !data && grades.length > 0 ? <Skeleton active /> : (
        <>
          <p className="note" aria-live="polite">{chosen.length} 个班级、{learners} 名学生。毕业后不能再加入和布置，名单和作业保留，可以撤销。</p>
          <Table size="small" rowKey="id" loading={isFetching} pagination={false} scroll={{ y: 320 }} dataSource={classes} locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="这个学年没有进行中的班级" /> }}
            rowSelection={{ selectedRowKeys: chosen.map(({ id }) => id), onChange: (keys) => setLeft(classes.flatMap(({ id }) => (keys.includes(id) ? [] : [id]))) }} columns={[
              { title: '班级', dataIndex: 'name', render: (name: string, one) => <>{name}<div className="note">{one.school}</div></> },
              { title: '教师', dataIndex: 'teacher' }, { title: '年级', dataIndex: 'grade', render: (grade: number) => choiceLabel(GRADES, grade) },
              { title: '学生', dataIndex: 'members', align: 'right' },
              { title: '提醒', dataIndex: 'open_homework', render: (count: number) => (count > 0 ? `还有 ${count} 次作业未截止` : '') },
            ]} />
        </>
      )}
    </Modal>
  )
}

/** Beside the list of classes. */
export function GraduationButton({ reload }: { reload: () => void }) {
  const can = useCan()
  const [shown, setShown] = useState(false)
  if (!can(CLASS_RIGHTS.id('graduate'))) return null
  return <><Button onClick={() => setShown(true)}>学年毕业</Button>{shown && <GraduationDialog reload={reload} onClose={() => setShown(false)} />}</>
}
