"""A wheel of Python libraries, for the interpreter that builds it."""

def _source(file):
    """Returns `PATH=FILE`, the path being the one within its repository."""
    path = file.short_path
    if path.startswith("../"):
        path = "/".join(path.split("/")[2:])
    return "%s=%s" % (path, file.path)

def _wheel_impl(ctx):
    runfiles = [dep[DefaultInfo].default_runfiles.files for dep in ctx.attr.deps]
    sources = [
        file
        for file in depset(transitive = runfiles).to_list()
        if file.owner.workspace_name == ctx.label.workspace_name
    ]

    # A folder, as only the interpreter that builds the wheel knows its full name.
    folder = ctx.actions.declare_directory(ctx.label.name)
    args = ctx.actions.args()
    args.use_param_file("@%s", use_always = True)
    args.set_param_file_format("multiline")
    args.add("--license", ctx.file.license)
    args.add("--project", ctx.file.project)
    args.add("--readme", ctx.file.readme)
    args.add("--folder", folder.path)
    args.add_all(sources, map_each = _source)
    ctx.actions.run(
        outputs = [folder],
        inputs = sources + [ctx.file.license, ctx.file.project, ctx.file.readme],
        executable = ctx.executable._build,
        arguments = [args],
        mnemonic = "Wheel",
    )
    return [DefaultInfo(
        files = depset([folder]),
        runfiles = ctx.runfiles([folder]),
    )]

wheel = rule(
    implementation = _wheel_impl,
    attrs = {
        "deps": attr.label_list(
            doc = "The libraries whose files, and those they need, the wheel has.",
            mandatory = True,
        ),
        "license": attr.label(
            allow_single_file = True,
            mandatory = True,
        ),
        "project": attr.label(
            doc = "A pyproject.toml, whose [project] table describes the wheel.",
            allow_single_file = True,
            mandatory = True,
        ),
        "readme": attr.label(
            allow_single_file = True,
            mandatory = True,
        ),
        "_build": attr.label(
            cfg = "exec",
            default = Label("//tools/wheel:build"),
            executable = True,
        ),
    },
    doc = "Builds a wheel into a folder of the target's name.",
)
