import { DeleteOutlined } from '@ant-design/icons'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Empty, Segmented, Select, Skeleton, Space, Tag } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import type { RowDialogProps } from '../../../core/resource/present.tsx'
import { PaperSelect, Picker } from '../editor/picker.tsx'
import { microLessons } from '../lesson/calls.ts'
import { addSmartMaterial, removeSmartMaterial, smartMaterials, type SmartMaterial } from './calls.ts'
import type { smartPaper } from './smart-paper.ts'

type Kind = SmartMaterial['kind']
const KINDS: readonly { value: Kind; label: string }[] = [{ value: 'lesson', label: '微课' }, { value: 'paper', label: '试卷' }, { value: 'practice', label: '试题' }]

/** What goes with a smart paper: micro lessons to watch, papers and questions to practise. */
export function MaterialsDrawer({ row, onClose }: RowDialogProps<typeof smartPaper>) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const [kind, setKind] = useState<Kind>('lesson')
  const key = ['smart-materials', row.id]
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: ({ signal }) => call(smartMaterials, undefined, { params: { id: row.id }, signal, quiet: true }) })
  const settled = { onSuccess: () => client.invalidateQueries({ queryKey: key }), onError: (reason: Error) => void message.error(reason.message, 5) }
  const add = useMutation({ mutationFn: (ref_id: number) => call(addSmartMaterial, { paper_id: row.id, kind, ref_id, ord: (data?.items.length ?? 0) + 1 }, { quiet: true }), ...settled })
  const remove = useMutation({ mutationFn: (id: number) => call(removeSmartMaterial, { id: String(id) }, { quiet: true }), ...settled })
  const subjectId = row.subject_id
  const may = row.can.includes('edit')
  return (
    <Drawer open size={760} title={`材料 · ${row.name}`} onClose={onClose}>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {!data && !error && <Skeleton active />}
      {data?.items.length === 0 && <Empty description="还没有材料" />}
      <ul className="paper-candidates">
        {data?.items.map(({ id, kind: own, name }) => (
          <li key={id} className="paper-item-bar">
            <Space size={4}><Tag>{KINDS.find(({ value }) => value === own)?.label}</Tag><span>{name}</span></Space>
            {may && <Button type="text" size="small" danger icon={<DeleteOutlined />} aria-label={`移除${name}`} disabled={remove.isPending} onClick={() => remove.mutate(id)} />}
          </li>
        ))}
      </ul>
      {may && (
        <section className="smart-gap">
          <Space orientation="vertical" className="paper-wide">
            <Segmented options={[...KINDS]} value={kind} onChange={setKind} aria-label="添加的材料" />
            {kind === 'lesson' && <LessonSelect subjectId={subjectId} onChange={(id) => add.mutate(id)} />}
            {kind === 'paper' && <PaperSelect subjectId={subjectId} value={undefined} onChange={(id) => add.mutate(id)} />}
            {kind === 'practice' && (
              <Picker subjectId={subjectId} level={row.level} paperId={0} replacing={undefined} onCancelReplace={() => undefined} onPick={({ id }) => add.mutate(id)}
                taken={new Set(data?.items.flatMap((one) => (one.kind === 'practice' ? [one.ref_id] : [])))} />
            )}
          </Space>
        </section>
      )}
    </Drawer>
  )
}

function LessonSelect({ subjectId, onChange }: { subjectId: number; onChange: (id: number) => void }) {
  const [keyword, setKeyword] = useState('')
  const { data, isFetching } = useQuery({
    queryKey: ['micro-lessons', subjectId, keyword],
    queryFn: ({ signal }) => call(microLessons, { cat_id: String(subjectId), ...(keyword && { keyword }) }, { signal, quiet: true }),
  })
  return (
    <Select<number> showSearch={{ filterOption: false, onSearch: setKeyword }} placeholder="输入微课名称" aria-label="微课" className="paper-wide" loading={isFetching} value={null} onChange={onChange}
      options={(data?.items ?? []).map(({ id, name, teacher }) => ({ value: id, label: teacher ? `${name}（${teacher}）` : name }))} />
  )
}
