import { CheckOutlined, DownloadOutlined, PlusOutlined } from '@ant-design/icons'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Empty, Form, Input, Modal, Select, Skeleton, Space, Tabs, Tag } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { fillPath } from '../../../core/endpoint/define.ts'
import { isMoving, useJob } from '../../../core/job/use-job.tsx'
import type { PaperContent } from '../calls.ts'
import { DoubtfulTab, WrittenTab } from './answer-tabs.tsx'
import { addMarking, finishMarking, getMarking, listMarkings, markingSheet, setRoster, type Marking } from './calls.ts'
import { LooseTab } from './loose-tab.tsx'
import { ResultsTab } from './results-tab.tsx'
import { ScanTab } from './scan-tab.tsx'
import './card.css'

const ROSTER_HELP = '每行一人：考号、姓名、班级，可从 Excel 直接粘贴；留空也能阅卷，成绩按考号列出'

/** Asks for the name of a sitting and who sits it; or for the list alone. */
function MarkingDialog({ marking, paperId, onClose, onDone }: { marking?: Marking; paperId: number; onClose: () => void; onDone: (id: number) => void }) {
  const [form] = Form.useForm<{ name: string; roster?: string }>()
  const save = useMutation({
    mutationFn: async ({ name, roster = '' }: { name: string; roster?: string }) => {
      if (!marking) return (await call(addMarking, { name, roster }, { params: { id: paperId } })).id
      await call(setRoster, { roster }, { params: { id: marking.id } })
      return marking.id
    },
    onSuccess: onDone,
  })
  return (
    <Modal open title={marking ? '考生名单' : '新建阅卷场次'} okText="保存" onCancel={onClose} onOk={() => form.submit()} okButtonProps={{ loading: save.isPending }} destroyOnHidden>
      <Form form={form} layout="vertical" onFinish={(values) => save.mutate(values)} initialValues={marking ? { roster: marking.roster.map(({ number, name, class: group }) => [number, name, group].join('\t')).join('\n') } : {}}>
        {!marking && <Form.Item name="name" label="场次名称" rules={[{ required: true, whitespace: true, message: '请填写场次名称' }]}><Input maxLength={60} placeholder="如：高二期中考试 11 月 26 日" /></Form.Item>}
        <Form.Item name="roster" label="考生名单" extra={ROSTER_HELP}><Input.TextArea rows={8} placeholder={'20260101\t张三\t高二1班'} /></Form.Item>
      </Form>
    </Modal>
  )
}

/** Reads answer cards of a paper back: scan, look over what is doubtful, mark what is written, see what came of it. */
export function MarkingDrawer({ content, onClose }: { content: PaperContent; onClose: () => void }) {
  const { message, modal } = App.useApp()
  const client = useQueryClient()
  const [chosen, setChosen] = useState<number>()
  const [dialog, setDialog] = useState<'new' | 'roster'>()
  const [tab, setTab] = useState('scan')
  const list = useQuery({ queryKey: ['markings', content.id], queryFn: ({ signal }) => call(listMarkings, undefined, { params: { id: content.id }, signal }) })
  const id = chosen ?? list.data?.items[0]?.id
  const one = useQuery({ queryKey: ['marking', id], enabled: id !== undefined, staleTime: 0, queryFn: ({ signal }) => call(getMarking, undefined, { params: { id: id ?? 0 }, signal }) })
  const marking = one.data
  const { job, cancel, retry } = useJob(marking?.job_id ?? undefined)
  const reload = () => void Promise.all([client.invalidateQueries({ queryKey: ['marking', id] }), client.invalidateQueries({ queryKey: ['markings', content.id] })])
  const finish = useMutation({
    mutationFn: () => call(finishMarking, undefined, { params: { id: id ?? 0 } }),
    onSuccess: ({ sent }) => {
      void message.success(`阅卷已完成，${sent} 条作答记入试题统计`)
      reload()
    },
  })
  const count = (label: string, number: number) => (number > 0 ? `${label} ${number}` : label)
  const open = marking?.state === 'open'
  return (
    <Drawer open size="100%" title="答题卡阅卷" onClose={onClose} className="marking" destroyOnHidden extra={marking && (
      <Space wrap>
        <Button icon={<DownloadOutlined />} href={fillPath(markingSheet.path, { id: marking.id })} download disabled={marking.candidates === 0}>导出成绩</Button>
        {open && <Button type="primary" icon={<CheckOutlined />} loading={finish.isPending} onClick={() => modal.confirm({ title: '完成阅卷', content: '作答将记入试题统计，之后不能再修改。', okText: '完成阅卷', onOk: () => finish.mutateAsync().catch(() => undefined) })}>完成阅卷</Button>}
      </Space>
    )}>
      <h2 className="marking-title">{content.name}</h2>
      <Space wrap className="marking-head">
        {(list.data?.items.length ?? 0) > 0 && <Select aria-label="阅卷场次" className="marking-choice" value={id} onChange={(value) => { setChosen(value); setTab('scan') }} options={list.data?.items.map((item) => ({ value: item.id, label: item.name }))} />}
        <Button icon={<PlusOutlined />} onClick={() => setDialog('new')}>新建场次</Button>
        {marking && <Button onClick={() => setDialog('roster')}>考生名单（{marking.roster.length} 人）</Button>}
        {marking && <Tag>{open ? '阅卷中' : '已完成'}</Tag>}
      </Space>
      {list.isLoading && <Skeleton active />}
      {list.error && <Alert type="error" showIcon title={list.error.message} action={<Button size="small" onClick={() => void list.refetch()}>重试</Button>} />}
      {list.data?.items.length === 0 && <Empty image={null} description="先在「打印」里打印答题卡，考后新建场次，上传扫描件" />}
      {marking && (
        <Tabs activeKey={tab} onChange={setTab} destroyOnHidden items={[
          { key: 'scan', label: '扫描识别', children: <ScanTab marking={marking} job={job} moving={isMoving(job)} onCancel={cancel} onRetry={retry} onStarted={reload} onMoved={reload} /> },
          { key: 'loose', label: count('待处理页面', marking.pages.all - marking.pages.read), children: <LooseTab marking={marking} onChanged={reload} /> },
          { key: 'doubtful', label: count('存疑填涂', marking.doubtful), children: <DoubtfulTab marking={marking} onChanged={reload} /> },
          { key: 'written', label: count('主观题阅卷', marking.unscored), children: <WrittenTab marking={marking} onChanged={reload} /> },
          { key: 'results', label: '成绩和分析', children: <ResultsTab marking={marking} /> },
        ]} />
      )}
      {dialog && <MarkingDialog paperId={content.id} {...(dialog === 'roster' && marking && { marking })} onClose={() => setDialog(undefined)} onDone={(made) => { setDialog(undefined); setChosen(made); reload() }} />}
    </Drawer>
  )
}
