import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Form, Input, Skeleton, Space, Tag, type InputRef } from 'antd'
import { useEffect, useRef } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { loosePages, removePage, setPageNumber, type LoosePage, type Marking } from './calls.ts'
import { CardPicture } from './picture.tsx'

const STATES = { loose: { label: '考号待填', color: 'warning' }, twice: { label: '重复', color: 'warning' }, failed: { label: '未识别', color: 'error' } } as const

function LooseRow({ page, open, first, onNumber, onRemove }: { page: LoosePage; open: boolean; first: boolean; onNumber: (number: string) => void; onRemove: () => void }) {
  const field = useRef<InputRef>(null)
  useEffect(() => {
    if (first) field.current?.focus()
  }, [first])
  return (
    <li className="marking-row">
      <Space wrap>
        <Tag color={STATES[page.state].color}>{STATES[page.state].label}</Tag>
        <span>{page.file_name} 第 {page.ord + 1} 页</span>
        <span>{page.problem}</span>
      </Space>
      <CardPicture pageId={page.id} box={page.place} label={`${page.file_name} 第 ${page.ord + 1} 页`} />
      {open && (
        <Space wrap>
          {page.state !== 'failed' && (
            <Form layout="inline" initialValues={{ number: page.guess ?? page.number ?? '' }} onFinish={({ number }: { number: string }) => onNumber(number)}>
              <Form.Item name="number" rules={[{ required: true, pattern: /^[\dA-Za-z-]{1,20}$/, message: '请填写考号' }]}><Input aria-label="考号" placeholder="考号" ref={field} maxLength={20} /></Form.Item>
              <Button htmlType="submit">确定</Button>
            </Form>
          )}
          <Button danger type="text" onClick={onRemove}>移除这页</Button>
        </Space>
      )}
    </li>
  )
}

/** Pages that do not count yet: their number is typed, or they go. */
export function LooseTab({ marking, onChanged }: { marking: Marking; onChanged: () => void }) {
  const client = useQueryClient()
  const { modal, message } = App.useApp()
  const key = ['marking-loose', marking.id, marking.pages]
  const { data, error } = useQuery({ queryKey: key, queryFn: ({ signal }) => call(loosePages, undefined, { params: { id: marking.id }, signal }) })
  const changed = () => {
    void client.invalidateQueries({ queryKey: ['marking-loose', marking.id] })
    onChanged()
  }
  const number = useMutation({
    mutationFn: (input: { id: number; number: string }) => call(setPageNumber, { number: input.number }, { params: { id: input.id } }),
    onSuccess: ({ state }) => {
      if (state === 'twice') void message.warning('该考号的这一页已经有了，没有计入')
      changed()
    },
  })
  const remove = useMutation({ mutationFn: (id: number) => call(removePage, undefined, { params: { id } }), onSuccess: changed })
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  if (data.items.length === 0) return <Empty image={null} description="所有页面都已归到考生" />
  return (
    <ul className="marking-list">
      {data.items.map((page, at) => (
        <LooseRow key={`${page.id} ${page.guess ?? ''}`} page={page} open={marking.state === 'open'} first={at === 0} onNumber={(value) => number.mutate({ id: page.id, number: value })}
          onRemove={() => modal.confirm({ title: '移除这页', content: '这一页的识别结果和给分一起移除，需要时重新扫描上传。', okText: '移除', okButtonProps: { danger: true }, onOk: () => remove.mutateAsync(page.id).catch(() => undefined) })} />
      ))}
    </ul>
  )
}
