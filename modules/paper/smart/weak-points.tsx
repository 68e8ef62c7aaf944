import { AimOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Empty, Input, Modal, Skeleton, Space } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { weakPoints } from './calls.ts'

/** Takes the knowledge that a paper is about from what learners did badly at. */
export function WeakPoints({ subjectId, onTake }: { subjectId: number | undefined; onTake: (labels: number[]) => void }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" icon={<AimOutlined />} disabled={subjectId === undefined} onClick={() => setOpen(true)}>取薄弱知识点</Button>
      {open && subjectId !== undefined && <Choose subjectId={subjectId} onTake={(labels) => { onTake(labels); setOpen(false) }} onClose={() => setOpen(false)} />}
    </>
  )
}

function Choose({ subjectId, onTake, onClose }: { subjectId: number; onTake: (labels: number[]) => void; onClose: () => void }) {
  const [sitting, setSitting] = useState('')
  const [chosen, setChosen] = useState<readonly number[]>()
  const { data, error, refetch } = useQuery({
    queryKey: ['weak-points', subjectId, sitting],
    queryFn: ({ signal }) => call(weakPoints, { cat_id: String(subjectId), ...(sitting && { sitting }) }, { signal, quiet: true }),
  })
  /** The five weakest, until somebody chooses. */
  const taken = chosen ?? data?.items.slice(0, 5).map(({ label_id }) => label_id) ?? []
  return (
    <Modal open title="薄弱知识点" okText={`考查这 ${taken.length} 个`} okButtonProps={{ disabled: taken.length === 0 }} cancelText="取消" onOk={() => onTake([...taken])} onCancel={onClose}>
      <Space orientation="vertical" className="paper-wide">
        <Input.Search allowClear placeholder="某次作答的编号；留空为全体学员" aria-label="作答编号" onSearch={(text) => { setSitting(text.trim()); setChosen(undefined) }} />
        {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
        {!data && !error && <Skeleton active />}
        {data?.items.length === 0 && <Empty description={sitting ? '没有这次作答的记录' : '作答还不够多，看不出薄弱知识点'} />}
        <ul className="smart-weak">
          {data?.items.map(({ label_id, name, above, attempts, facility }) => (
            <li key={label_id}>
              <Checkbox checked={taken.includes(label_id)} onChange={({ target }) => setChosen(target.checked ? [...taken, label_id] : taken.filter((one) => one !== label_id))}>{above ? `${above} · ${name}` : name}</Checkbox>
              <span className="paper-faint">得分率 {Math.round(facility * 100)}% · {attempts} 人次</span>
            </li>
          ))}
        </ul>
      </Space>
    </Modal>
  )
}
