import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../endpoint/call.tsx'
import { demoProgress } from '../module/demo-progress.ts'

/** Milliseconds between two looks while the demo is being made. */
const AGAIN = 2000

/** Says how far the demo is, to administrators while it is being made; once it is there, what is shown is read again. */
export function DemoBar() {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['demo-progress'], queryFn: ({ signal }) => call(demoProgress, undefined, { signal, quiet: true }), staleTime: Infinity,
    refetchInterval: ({ state }) => (state.data?.progress ? AGAIN : false),
  })
  const progress = data?.progress
  const was = useRef(false)
  useEffect(() => {
    if (was.current && !progress) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'demo-progress' })
    was.current = Boolean(progress)
  }, [progress, client])
  return progress ? <output className="demo-bar">正在生成演示数据（{progress.done}/{progress.total}）：{progress.what}。现在可以查看，完成后可以修改。</output> : null
}
