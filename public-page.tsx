import { createRoot } from 'react-dom/client'
import { PublicPageView } from './core/public-page/public-page.tsx'

const root = document.getElementById('root')
const token = location.pathname.split('/').at(-1) ?? ''
if (root) createRoot(root).render(<PublicPageView token={token} />)
