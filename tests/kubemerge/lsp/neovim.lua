-- Edits a manifest in Neovim with the language server, and prints what the editor got, as JSON lines.
local uri, answer = vim.uri_from_fname(vim.fn.getcwd() .. "/pod.yaml"), nil
local function tell(name, value) io.stdout:write(vim.json.encode({ name = name, value = value }) .. "\n") end
local function wait(holds) if not vim.wait(60000, holds, 20) then tell("timeout", true) vim.cmd("cquit") end end

vim.cmd("edit pod.yaml")
local client = vim.lsp.start_client({
  name = "kubemerge",
  cmd = { vim.env.PYTHON, "-m", "kubemerge", "lsp" },
  root_dir = vim.fn.getcwd(),
})
vim.lsp.buf_attach_client(0, client)
local function ask(method, line, character, more)
  local params = { textDocument = { uri = uri }, position = { line = line, character = character } }
  answer = nil
  vim.lsp.buf_request(0, method, vim.tbl_extend("force", params, more or {}), function(_, result) answer = result or "none" end)
  wait(function() return answer ~= nil end)
  return answer
end

wait(function() return #vim.diagnostic.get(0) > 0 end)
for _, one in ipairs(vim.diagnostic.get(0)) do tell("diagnostic", { one.lnum, one.col, one.code }) end
tell("hover", ask("textDocument/hover", 5, 4).contents.value)

-- a fix, as the editor applies it
local at = { start = { line = 7, character = 0 }, ["end"] = { line = 7, character = 0 } }
local actions = ask("textDocument/codeAction", 7, 0, { range = at, context = { diagnostics = {} } })
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
wait(function() return #vim.diagnostic.get(0) == 0 end)
tell("fixed", vim.api.nvim_buf_get_lines(0, 7, 8, false)[1])

-- typing, so that the document is broken
vim.api.nvim_buf_set_lines(0, -1, -1, false, { "  rest" })
local labels = {}
for _, one in ipairs(ask("textDocument/completion", 8, 6)) do table.insert(labels, one.label) end
tell("completion", labels)
vim.lsp.stop_client(client)
wait(function() return vim.lsp.client_is_stopped(client) end)
tell("stopped", true)
vim.cmd("qall!")
