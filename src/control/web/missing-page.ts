/** Shown where the dashboard was not built. It runs nothing and loads nothing. */
export const missingPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tessera</title>
</head>
<body>
<h1>Tessera is running</h1>
<p>Its dashboard has not been built. In a clone of the repository, <code>npm run build</code> builds
it; then start <code>tessera up</code> again. The published package has it built.</p>
<p>The API works without it: <a href="/api/v1/openapi.json">its description</a>,
<a href="/api/v1/status">status</a>, <a href="/metrics">metrics</a>.</p>
</body>
</html>
`;
