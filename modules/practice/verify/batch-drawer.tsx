import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, Drawer, Empty, Form, List, Modal, Select, Skeleton, Space, Tag } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { formatTime } from '../../../core/field/time.ts'
import { useCan } from '../../../core/session/staff-context.tsx'
import { QuestionView } from '../content/render.tsx'
import { sourceWords } from '../ui/practice-card.tsx'
import { useReloadPractices } from '../ui/use-moves.tsx'
import { useSubjects } from '../ui/use-practice.tsx'
import { countTrusted, drawBatch, dropBatch, judgeSample, listBatches, MOST_ERRORS, readSample, signBatch, undoBatch, UNDO_SECONDS, type VerifyBatch } from './batch-calls.ts'
import { ERROR_TYPES, ROUNDS } from './state.ts'

type ErrorType = (typeof ERROR_TYPES)[number]

const STATES = { reading: { label: '校对样本', color: 'warning' }, signed: { label: '已签署', color: 'success' }, undone: { label: '已撤销', color: 'default' }, dropped: { label: '已放弃', color: 'default' } } as const
const roundName = (round: number) => ROUNDS.find((one) => one.round === round)?.label ?? ''
const rate = ({ failed, read }: VerifyBatch['counts']) => (read === 0 ? '—' : `${Math.round((1000 * failed) / read) / 10}%`)

/** Passes questions of trusted sources by a sample: how many there are, the sample one by one, one signature, and the way back. */
export function BatchDrawer({ onClose }: { onClose: () => void }) {
  const { message, modal } = App.useApp()
  const client = useQueryClient()
  const can = useCan()
  const reloadPractices = useReloadPractices()
  const subjects = useSubjects()
  const rounds = ROUNDS.filter(({ grant }) => can(grant))
  const [round, setRound] = useState<1 | 2 | 3 | undefined>(rounds[0]?.round)
  const [catId, setCatId] = useState<number>()
  const [open, setOpen] = useState<number>()
  const [now] = useState(() => Date.now() / 1000)
  const list = useQuery({ queryKey: ['verify-batches'], queryFn: ({ signal }) => call(listBatches, undefined, { signal, quiet: true }) })
  const count = useQuery({
    queryKey: ['verify-batches', 'count', round, catId], enabled: round !== undefined && catId !== undefined,
    queryFn: ({ signal }) => call(countTrusted, { round: String(round) as '1', cat_id: String(catId) }, { signal, quiet: true }),
  })
  const reload = async () => {
    await client.invalidateQueries({ queryKey: ['verify-batches'] })
    await reloadPractices()
  }
  const draw = async () => {
    if (round === undefined || catId === undefined) return
    const batch = await call(drawBatch, { round, cat_id: catId })
    setOpen(batch.id)
    await reload()
  }
  const undo = (batch: VerifyBatch) => modal.confirm({
    title: '撤销批量通过', content: `将退回到${roundName(batch.round)}；签署后改动过或已被使用的保留。`, okText: '撤销', okButtonProps: { danger: true },
    onOk: async () => {
      const { undone, kept } = await call(undoBatch, undefined, { params: { id: batch.id } })
      void message.success(kept > 0 ? `已撤销 ${undone} 道，保留改动过或已使用的 ${kept} 道` : `已撤销 ${undone} 道`)
      await reload()
    },
  })
  if (open !== undefined) return <Sample id={open} onBack={() => { setOpen(undefined); void reload() }} onClose={onClose} onChanged={reload} />
  return (
    <Drawer open onClose={onClose} title="批量通过可信来源" size="min(900px, 100vw)" destroyOnHidden>
      <Space orientation="vertical" size="middle" className="wide">
        <p className="note">来源为高考真题并写明试卷的待校试题，抽取样本逐题校对；差错率不超过 {MOST_ERRORS * 100}% 的，其余可签署一次通过。存疑的、加急的和自己录入的不在其中。</p>
        <Space wrap>
          <Select<1 | 2 | 3> aria-label="批量轮次" className="verify-select" placeholder="轮次" value={round ?? null} options={rounds.map((one) => ({ value: one.round, label: one.label }))} onChange={setRound} />
          <Select<number> aria-label="批量学科" className="verify-select" placeholder="学科" value={catId ?? null} showSearch={{ optionFilterProp: 'label' }} options={subjects.map(({ id, name }) => ({ value: id, label: name }))} onChange={setCatId} />
          <Button type="primary" disabled={!count.data || count.data.all === 0} onClick={() => void draw().catch(() => undefined)}>抽取样本</Button>
        </Space>
        {count.error && <Alert type="error" showIcon title={count.error.message} />}
        {count.data && <Alert type={count.data.all > 0 ? 'info' : 'warning'} title={count.data.all > 0 ? `有 ${count.data.all} 道可以批量通过，先逐题校对其中 ${count.data.sample} 道` : '没有可以批量通过的试题'} description={count.data.uncertain > 0 ? `另有 ${count.data.uncertain} 道存疑，须逐题校对` : undefined} />}
        {list.error ? <Alert type="error" showIcon title={list.error.message} /> : (
          <List<VerifyBatch> loading={list.isPending} dataSource={list.data?.items ?? []} locale={{ emptyText: '还没有批量通过的记录' }} renderItem={(batch) => (
            <List.Item actions={[
              ...(batch.state === 'reading' ? [<Button key="read" size="small" type="link" onClick={() => setOpen(batch.id)}>校对样本</Button>] : []),
              ...(batch.state === 'signed' && (batch.signed_at ?? 0) > now - UNDO_SECONDS ? [<Button key="undo" size="small" type="link" danger onClick={() => undo(batch)}>撤销</Button>] : []),
            ]}>
              <List.Item.Meta title={<>{batch.subject_name} {roundName(batch.round)} <Tag color={STATES[batch.state].color}>{STATES[batch.state].label}</Tag></>}
                description={`共 ${batch.counts.all} 道，样本 ${batch.counts.read} / ${batch.counts.sampled}，差错率 ${rate(batch.counts)}${batch.state === 'signed' ? `，通过 ${batch.counts.passed} 道` : ''}　${formatTime(batch.signed_at ?? batch.at).slice(0, 16)}`} />
            </List.Item>
          )} />
        )}
      </Space>
    </Drawer>
  )
}

/** The questions that were drawn, one below the other, each with what was found. */
function Sample({ id, onBack, onClose, onChanged }: { id: number; onBack: () => void; onClose: () => void; onChanged: () => Promise<void> }) {
  const { message, modal } = App.useApp()
  const [failing, setFailing] = useState<number>()
  const { data, error, isPending, refetch } = useQuery({ queryKey: ['verify-batches', id], queryFn: ({ signal }) => call(readSample, undefined, { params: { id }, signal, quiet: true }) })
  const judge = async (practiceId: number, passed: boolean, errors: readonly ErrorType[] = []) => {
    await call(judgeSample, { passed, errors: [...errors] }, { params: { id, practice_id: practiceId }, keepEmpty: true })
    setFailing(undefined)
    await refetch()
  }
  const batch = data?.batch
  const unread = data?.items.find(({ passed }) => passed === null)
  const sign = () => batch && modal.confirm({
    title: '签署并批量通过', content: `样本 ${batch.counts.sampled} 道，差错率 ${rate(batch.counts)}。签署后其余 ${batch.counts.all - batch.counts.sampled} 道一并通过${batch.round === 3 ? '并发布' : ''}，有错的 ${batch.counts.failed} 道退回。24 小时内可以撤销。`, okText: '签署',
    onOk: async () => {
      const done = await call(signBatch, undefined, { params: { id } })
      void message.success(`已通过 ${done.counts.passed} 道`)
      await onChanged()
      onBack()
    },
  })
  const drop = async () => {
    await call(dropBatch, undefined, { params: { id } })
    onBack()
  }
  return (
    <Drawer open onClose={onClose} title="校对样本" size="min(900px, 100vw)" destroyOnHidden extra={<Button size="small" onClick={onBack}>返回</Button>}
      footer={batch && (
        <Space wrap>
          <span>已校 {batch.counts.read} / {batch.counts.sampled}，差错率 {rate(batch.counts)}</span>
          <Button type="primary" disabled={unread !== undefined || batch.state !== 'reading'} onClick={sign}>签署并批量通过 {batch.counts.all} 道</Button>
          <Button danger disabled={batch.state !== 'reading'} onClick={() => void drop().catch(() => undefined)}>放弃这一批</Button>
        </Space>
      )}>
      {error ? <Alert type="error" showIcon title={error.message} /> : isPending ? <Skeleton active /> : data.items.length === 0 ? <Empty description="没有样本" /> : (
        <ul className="import-items">
          {data.items.map(({ practice, passed, errors }) => (
            <li key={practice.id} className="import-item" aria-label={practice.no}>
              <header><b className="figure">{practice.no}</b> <span className="note">{sourceWords(practice)}</span> {passed !== null && <Tag color={passed ? 'success' : 'error'}>{passed ? '无误' : errors.join('、')}</Tag>}</header>
              <QuestionView content={practice.content} answer="shown" />
              <Space>
                <Button size="small" type={passed === null ? 'primary' : 'default'} aria-label={`${practice.no} 无误`} onClick={() => void judge(practice.id, true).catch(() => undefined)}>无误</Button>
                <Button size="small" danger aria-label={`${practice.no} 有错`} onClick={() => setFailing(practice.id)}>有错</Button>
              </Space>
            </li>
          ))}
        </ul>
      )}
      {failing !== undefined && <Failing onClose={() => setFailing(undefined)} onDone={(errors) => void judge(failing, false, errors).catch(() => undefined)} />}
    </Drawer>
  )
}

function Failing({ onClose, onDone }: { onClose: () => void; onDone: (errors: readonly ErrorType[]) => void }) {
  const [form] = Form.useForm<{ errors: ErrorType[] }>()
  return (
    <Modal open title="有错" okText="登记" onCancel={onClose} onOk={() => void form.validateFields().then(({ errors }) => onDone(errors), () => undefined)}>
      <Form form={form} layout="vertical">
        <Form.Item name="errors" label="错误类型" rules={[{ required: true, message: '请选择错误类型' }]}><Checkbox.Group options={ERROR_TYPES.map((label) => ({ value: label, label }))} /></Form.Item>
      </Form>
    </Modal>
  )
}
