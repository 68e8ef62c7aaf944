import type { ReactNode } from 'react'
import { LoginScene } from './login-scene.tsx'
import './login.css'

/** The card on which everything before the console itself stands. */
export function LoginFrame({ title = '道远后台', note, scene = false, children }: { title?: string; note?: string; /** Shows the product beside it. */ scene?: boolean; children: ReactNode }) {
  return (
    <main className="login login-page" data-scene={scene}>
      {scene && <LoginScene />}
      <div className="login-card">
        <h1><img src={`${import.meta.env.BASE_URL}logo.svg`} alt="" width={36} height={36} /> <span>{title}{note && <small>{note}</small>}</span></h1>
        {children}
      </div>
    </main>
  )
}
